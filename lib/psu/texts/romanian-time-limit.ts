import { counted } from "./romanian-formats";
import type { TimeLimitTexts } from "./time-limit-texts";

const signedIn = (left: string) =>
  `În mai puțin de ${left} sesiunea dumneavoastră se încheie, pentru că nu se întâmplă nimic.`;
const open = (left: string) => `În mai puțin de ${left} trece timpul pentru această cerere.`;

export const romanianTimeLimit: TimeLimitTexts = {
  more: "Am nevoie de mai mult timp",
  signedInLeft: {
    60: signedIn("un minut"),
    30: signedIn("30 de secunde"),
    10: signedIn("10 secunde"),
  },
  openLeft: { 60: open("un minut"), 30: open("30 de secunde"), 10: open("10 secunde") },
  extended: "Aveți mai mult timp.",
  failed: "Nu a reușit. Vă rugăm să încercați din nou.",
  signedOut: (minutes) =>
    `Sesiunea s-a încheiat, pentru că timp de ${counted(minutes, { one: "un minut", many: "minute" })} nu s-a întâmplat nimic. Ce nu ați trimis nu a fost preluat.`,
  signInAgain: "Autentificați-vă din nou",
  closed:
    "Timpul pentru această cerere a trecut. Nu s-a dat acces la nimic și nu s-a plătit nimic.",
};
