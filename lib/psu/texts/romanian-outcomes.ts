import { counted } from "./romanian-formats";
import type { Texts } from "./texts";

const left = (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1)
    return " V-a mai rămas o încercare. Dacă nici aceasta nu reușește, cererea va fi refuzată, iar autentificarea poate fi blocată: prima dată pentru o vreme, data următoare până când sunați la bancă.";
  return ` V-au mai rămas ${counted(attempts, { one: "o încercare", many: "încercări" })}.`;
};

/** What came of the last answer. No text tells which of two things was wrong (RTS art. 4(3)(a)). */
export const romanianOutcomes: Texts["outcomes"] = {
  "user-id-missing": { place: "user-id", text: () => "Introduceți numele de utilizator." },
  "password-missing": { place: "password", text: () => "Introduceți parola." },
  "credentials-missing": {
    place: "user-id",
    text: () => "Introduceți numele de utilizator și parola.",
  },
  "wrong-credentials": {
    place: "user-id",
    text: (attempts) => `Numele de utilizator și parola nu se potrivesc.${left(attempts)}`,
  },
  "another-psu": {
    place: "user-id",
    text: () =>
      "Această cerere a fost începută de altcineva. Se poate autentifica numai acea persoană; altfel, renunțați.",
  },
  "nothing-selected": { place: "accounts", text: () => "Alegeți cel puțin un cont." },
  "not-offered": { place: "accounts", text: () => "Alegeți dintre conturile din această listă." },
  "code-missing": { place: "code", text: () => "Introduceți codul primit prin SMS." },
  "code-malformed": {
    place: "code",
    text: () => "Introduceți toate cifrele codului și nimic altceva.",
  },
  "wrong-code": { place: "code", text: (attempts) => `Codul este greșit.${left(attempts)}` },
  "code-expired": {
    place: "code",
    text: () => "Codul a expirat. Cereți unul nou și introduceți-l pe acela.",
  },
  "wrong-passkey": {
    place: "passkey",
    text: (attempts) => `Această cheie de acces nu a confirmat ce se vede aici.${left(attempts)}`,
  },
  "passkey-expired": {
    place: "passkey",
    text: () =>
      "A durat prea mult, așa că nu s-a confirmat nimic. Folosiți din nou cheia de acces.",
  },
  "passkey-missing": {
    place: "passkey",
    text: () => "Cheia de acces nu a dat niciun răspuns. Folosiți-o din nou sau cereți un cod.",
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
  "too-many-texts": {
    place: "page",
    text: () =>
      "În ultima oră am trimis atât de multe coduri pe telefonul dumneavoastră încât deocamdată nu mai trimitem altele. Încercați mai târziu sau folosiți o cheie de acces, dacă aveți. Dacă nu le-ați cerut dumneavoastră, este posibil ca altcineva să vă știe parola: sunați la bancă.",
  },
  "new-code-sent": {
    place: "good-news",
    text: () => "V-am trimis un cod nou. Codurile anterioare nu mai sunt valabile.",
  },
  "more-time": { place: "good-news", text: () => "Aveți mai mult timp." },
  "stale-form": {
    place: "page",
    text: () =>
      "Pagina nu mai era actuală, așa că răspunsul nu a fost preluat. Vă rugăm să răspundeți din nou.",
  },
  fault: {
    place: "page",
    text: () => "A apărut o eroare la noi. Vă rugăm să răspundeți din nou.",
  },
};
