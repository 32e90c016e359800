import type { AspspProfile } from "../aspsp-profile";
import type { PaymentExecution } from "./payment-execution";

type ExecutionPorts = {
  readonly paymentExecution: PaymentExecution;
  readonly profile: AspspProfile;
};

/** Takes the payments that are due one step on. True when there may be more to do at once. */
export async function executePayments(ports: ExecutionPorts, now: Date): Promise<boolean> {
  const { executionRowsAtOnce } = ports.profile.payments;
  const { steps } = await ports.paymentExecution.advance(now, executionRowsAtOnce);
  return steps > 0;
}
