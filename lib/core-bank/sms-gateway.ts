import type { Deliver } from "./one-time-codes";

const ANSWER_MILLISECONDS = 5_000;

/**
 * A gateway that sends text messages: one POST of `{ "to": psuId, "text" }`; it knows the PSU's
 * number. Anything but a 2xx within the time is a failure. There is no second try: a gateway that
 * answers late would send the code twice, and the PSU can ask for a new one.
 */
export function smsGateway(url: string): Deliver {
  return async ({ psuId, text }) => {
    try {
      const response = await fetch(url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ to: psuId, text }),
        redirect: "manual",
        signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
      });
      await response.body?.cancel();
      return response.ok;
    } catch {
      return false;
    }
  };
}
