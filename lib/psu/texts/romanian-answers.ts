import type { CommonAnswers } from "./common-answers";
import { counted } from "./romanian-formats";

/** What came of an answer, in the same words for a TPP's request and in the bank's own channel. */
export const romanianAnswers: CommonAnswers = (left) => ({
  "user-id-missing": { place: "user-id", text: () => "Introduceți numele de utilizator." },
  "password-missing": { place: "password", text: () => "Introduceți parola." },
  "credentials-missing": {
    place: "user-id",
    text: () => "Introduceți numele de utilizator și parola.",
  },
  "wrong-credentials": {
    place: "user-id",
    text: (attempts) => `Numele de utilizator și parola nu se potrivesc.${left.password(attempts)}`,
  },
  "too-soon": {
    place: "page",
    text: (seconds) =>
      `Din rețeaua dumneavoastră au venit prea multe încercări greșite. Nu s-a verificat nimic. Așteptați ${waitIn(seconds)}, apoi încercați din nou.`,
  },
  busy: {
    place: "page",
    text: () =>
      "Foarte multe persoane se autentifică acum. Încercați din nou peste câteva secunde.",
  },
  "code-missing": { place: "code", text: () => "Introduceți codul primit prin SMS." },
  "code-malformed": {
    place: "code",
    text: () => "Introduceți toate cifrele codului și nimic altceva.",
  },
  "wrong-code": { place: "code", text: (attempts) => `Codul este greșit.${left.second(attempts)}` },
  "code-expired": {
    place: "code",
    text: () => "Codul a expirat. Cereți unul nou și introduceți-l pe acela.",
  },
  "passkey-missing": {
    place: "passkey",
    text: () => "Cheia de acces nu a dat niciun răspuns. Folosiți-o din nou sau cereți un cod.",
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
  "stale-form": {
    place: "page",
    text: () =>
      "Pagina nu mai era actuală, așa că răspunsul nu a fost preluat. Vă rugăm să răspundeți din nou.",
  },
  fault: {
    place: "page",
    text: () => "A apărut o eroare la noi. Vă rugăm să răspundeți din nou.",
  },
});

/** Seconds as they are read: of more than a minute and a half, the minutes. */
function waitIn(seconds = 1): string {
  if (seconds <= 90) return counted(seconds, { one: "o secundă", many: "secunde" });
  return counted(Math.ceil(seconds / 60), { one: "un minut", many: "minute" });
}
