// biome-ignore-all lint/style/noRestrictedImports: it ends with the process, and works in the bank's books
import type { Config } from "@/lib/config";
import { ledger } from "@/lib/core-bank/ledger/core-bank";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { submitDuePayments } from "@/lib/domain/payment/submit-payment";
import { log } from "@/lib/log";
import { connect } from "@/lib/postgres/client";
import { paymentStore } from "@/lib/postgres/payment-store";
import { sandboxClock } from "@/lib/postgres/sandbox-clock";
import { systemClock } from "@/lib/system-clock";
import { repeat } from "./repeat";
import type { Step } from "./shutdown";

/**
 * Executes payments in the embedded ledger and brings the outbox on, on every server: each step takes place
 * once, and nobody waits for a payment that another has in hand. The step that runs when the server stops
 * comes to its end; what is due then is another server's, or this one's when it starts again.
 */
export function startExecution({ DATABASE_URL, SANDBOX }: Config): Step {
  const { db, close } = connect(DATABASE_URL, { max: 1 });
  const clock = SANDBOX ? sandboxClock(db) : systemClock;
  const { executionEverySeconds: everySeconds, executionRowsAtOnce } = aspspProfile.payments;
  const execution = paymentExecution(db);
  const ports = {
    profile: aspspProfile,
    payments: paymentStore(db),
    coreBank: ledger(db),
    submissionFaults: (fault: object) =>
      log.error(fault, "the core bank could not be asked about a payment, which is tried again"),
  };
  const turn = async () => {
    const now = await clock.now();
    const { steps } = await execution.advance(now, executionRowsAtOnce);
    return (await submitDuePayments(ports, now)) || steps > 0;
  };
  const { stop } = repeat({ everySeconds, turn });
  return { finish: () => stop().then(close) };
}
