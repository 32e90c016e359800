import { romanianAnswers } from "./romanian-answers";
import { counted } from "./romanian-formats";
import type { Texts } from "./texts";

const tries = (last: string) => (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1) return ` V-a mai rămas o încercare. ${last}`;
  return ` V-au mai rămas ${counted(attempts, { one: "o încercare", many: "încercări" })}.`;
};
const left = tries(
  "Dacă nici aceasta nu reușește, cererea va fi refuzată, iar autentificarea poate fi blocată: prima dată pentru o vreme, data următoare până când sunați la bancă.",
);
const leftOfPasswords = tries(
  "Dacă nici aceasta nu reușește, cererea va fi refuzată, iar autentificarea poate fi blocată pentru o vreme.",
);

/** What came of the last answer. No text tells which of two things was wrong (RTS art. 4(3)(a)). */
export const romanianOutcomes: Texts["outcomes"] = {
  ...romanianAnswers({ password: leftOfPasswords, second: left }),
  "another-psu": {
    place: "user-id",
    text: () =>
      "Această cerere a fost începută de altcineva. Se poate autentifica numai acea persoană; altfel, renunțați.",
  },
  "nothing-selected": { place: "accounts", text: () => "Alegeți cel puțin un cont." },
  "not-offered": { place: "accounts", text: () => "Alegeți dintre conturile din această listă." },
  "wrong-passkey": {
    place: "passkey",
    text: (attempts) => `Această cheie de acces nu a confirmat ce se vede aici.${left(attempts)}`,
  },
  "passkey-expired": {
    place: "passkey",
    text: () =>
      "A durat prea mult, așa că nu s-a confirmat nimic. Folosiți din nou cheia de acces.",
  },
  "not-delivered": {
    place: "code",
    text: () =>
      "SMS-ul nu a putut fi trimis. Este vina noastră și nu vă costă nicio încercare. Încercați din nou peste câteva clipe sau renunțați.",
  },
  "too-many-codes": {
    place: "code",
    text: () =>
      "Pentru această cerere nu mai putem trimite coduri. Introduceți-l pe ultimul, dacă îl aveți, sau renunțați.",
  },
  "time-after-sign-in": {
    place: "page",
    text: () => "Pentru mai mult timp, mai întâi autentificați-vă.",
  },
  "more-time": { place: "good-news", text: () => "Aveți mai mult timp." },
};
