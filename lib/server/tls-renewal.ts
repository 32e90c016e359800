import type { Listener, Tls } from "./listeners";
import { repeat } from "./repeat";
import type { Step } from "./shutdown";

/** The certificate for this moment. */
export type RenewedTls = (now: Date) => Promise<Tls>;

/** It is renewed a month before its end, so that a day does not matter. */
const DAY_SECONDS = 86_400;

/** A server may run for longer than the certificate lasts that it has found at its start. */
export function startTlsRenewal(
  listener: Pick<Listener, "renew">,
  renewed: RenewedTls,
  everySeconds = DAY_SECONDS,
): Step {
  let shown: string | undefined;
  const turn = async () => {
    const tls = await renewed(new Date());
    if (tls.cert !== shown) listener.renew(tls);
    shown = tls.cert;
    return false;
  };
  return { finish: repeat({ everySeconds, turn }).stop };
}
