import type { Ports } from "../ports";
import type { Arrivals } from "../tpp/arrival";

type Asked = Pick<Ports, "clock" | "tppRegister" | "stopList" | "consents" | "fundsConsents">;

/** What an arrival says, asked of the single ports; whoever replaces one of them makes arrivals anew. */
export function arrivalsBy(ports: Asked): Arrivals {
  return {
    look: async ({ tppId, consentId, fundsConsentId, token }) => {
      const now = await ports.clock.now();
      if (tppId === undefined) return { now, tppId };
      const order = await ports.stopList.find(tppId, now);
      const tpp = await ports.tppRegister.find(tppId);
      const consent =
        consentId === undefined ? undefined : await ports.consents.findOfTpp(consentId, tppId);
      const fundsConsent =
        fundsConsentId && (await ports.fundsConsents.findOfTpp(fundsConsentId, tppId));
      return {
        now,
        tppId,
        // There are no grants here: whatever is read as a token lives.
        tokenLives: token !== undefined,
        ...(tpp !== undefined && { tpp }),
        ...(order !== undefined && { order }),
        ...(consent !== undefined && { named: { consent } }),
        ...(fundsConsent !== undefined && { fundsConsent }),
      };
    },
  };
}
