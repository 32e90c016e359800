// biome-ignore-all lint/style/noRestrictedImports: it ends with the process, and works in the bank's books
import type { Config } from "@/lib/config";
import { paymentExecution } from "@/lib/core-bank/ledger/payment-execution";
import { aspspProfile } from "@/lib/domain/aspsp-profile";
import { executePayments } from "@/lib/domain/payment/execute-payments";
import { connect } from "@/lib/postgres/client";
import { sandboxClock } from "@/lib/postgres/sandbox-clock";
import { systemClock } from "@/lib/system-clock";
import { repeat } from "./repeat";
import type { Step } from "./shutdown";

/**
 * Executes payments, on every server: each step takes place once, and nobody waits for a payment that
 * another has in hand. The step that runs when the server stops comes to its end; what is due then is
 * another server's, or this one's when it starts again.
 */
export function startExecution({ DATABASE_URL, SANDBOX }: Config): Step {
  const { db, close } = connect(DATABASE_URL, { max: 1 });
  const clock = SANDBOX ? sandboxClock(db) : systemClock;
  const ports = { paymentExecution: paymentExecution(db), profile: aspspProfile };
  const everySeconds = aspspProfile.payments.executionEverySeconds;
  const turn = async () => executePayments(ports, await clock.now());
  const { stop } = repeat({ everySeconds, turn });
  return { finish: () => stop().then(close) };
}
