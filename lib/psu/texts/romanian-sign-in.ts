import { romanianAnswers } from "./romanian-answers";
import { counted } from "./romanian-formats";
import type { SignInTexts } from "./sign-in-texts";

const minutes = (count: number) => counted(count, { one: "un minut", many: "minute" });
const tries = (last: string) => (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1) return ` V-a mai rămas o încercare. ${last}`;
  return ` V-au mai rămas ${counted(attempts, { one: "o încercare", many: "încercări" })}.`;
};
const left = tries(
  "Dacă nici aceasta nu reușește, autentificarea va fi blocată: prima dată pentru o vreme, data următoare până când sunați la bancă.",
);
const leftOfPasswords = tries(
  "Dacă nici aceasta nu reușește, autentificarea va fi blocată pentru o vreme.",
);

export const romanianSignIn: SignInTexts = {
  heading: (bankName) => `Autentificare la ${bankName}`,
  lead: "Apoi confirmați cu un cod primit pe telefon.",
  again: {
    heading: "Autentificați-vă din nou",
    lead: "Sesiunea dumneavoastră s-a încheiat, de exemplu pentru că o vreme nu s-a întâmplat nimic.",
  },
  codeHeading: "Introduceți codul de autentificare",
  reference: (reference) => `SMS-ul are referința ${reference}.`,
  noCode: "Nu a fost trimis încă niciun cod.",
  submit: "Intrați",
  startAgain: "Luați-o de la început",
  codeMessage:
    (bankName) =>
    ({ code, reference }) =>
      `${code} este codul dumneavoastră pentru autentificarea la ${bankName}, unde vedeți accesul acordat. Referința ${reference}. Nu îl spuneți nimănui.`,
  blockNotices: {
    blocked: (count, bankName) =>
      `${bankName}: după prea multe încercări greșite, autentificarea cu numele dumneavoastră este blocată ${minutes(count)}. Dacă nu dumneavoastră ați încercat, sunați la bancă.`,
    warned: (_count, bankName) =>
      `${bankName}: cineva care vă știe parola a introdus coduri greșite. Dacă mai greșește, autentificarea rămâne blocată până când sunați la bancă. Dacă nu ați fost dumneavoastră, sunați imediat.`,
    "blocked-for-good": (_count, bankName) =>
      `${bankName}: după prea multe coduri greșite, autentificarea este blocată până când sunați la bancă sau folosiți cheia de acces.`,
  },
  unlock: {
    hint: "Aveți o cheie de acces? Cu ea vă puteți autentifica acum, deși numele de utilizator este blocat. Într-un browser fără chei de acces, așteptați sau sunați la bancă.",
    submit: "Deblocați cu cheia",
    cancelled: "Nu a fost folosită nicio cheie de acces și nu s-a schimbat nimic.",
  },
  blocked: (count, bankName) =>
    `După prea multe răspunsuri greșite, autentificarea este blocată. Încercați din nou peste ${minutes(count)}; dacă este blocată și atunci, sunați la ${bankName}.`,
  outcomes: {
    ...romanianAnswers({ password: leftOfPasswords, second: left }),
    "blocked-for-good": {
      place: "user-id",
      text: () =>
        "După prea multe coduri greșite, autentificarea este blocată până când sunați la bancă. Dacă aveți o cheie de acces, ea ridică blocarea.",
    },
    unlocked: {
      place: "good-news",
      text: () => "Cheia de acces a fost recunoscută. Autentificați-vă acum.",
    },
    "not-unlocked": {
      place: "page",
      text: () => "Cheia de acces nu a fost recunoscută și nu s-a schimbat nimic.",
    },
    "not-delivered": {
      place: "code",
      text: () => "SMS-ul nu a putut fi trimis. Încercați să cereți un cod nou.",
    },
    "too-many-codes": {
      place: "code",
      text: () =>
        "Nu mai putem trimite coduri. Introduceți-l pe ultimul sau luați-o de la început.",
    },
    "wrong-passkey": {
      place: "passkey",
      text: (attempts) => `Nu v-ați putut autentifica cu această cheie de acces.${left(attempts)}`,
    },
    "passkey-expired": {
      place: "passkey",
      text: () =>
        "A durat prea mult, așa că nu v-ați autentificat. Folosiți din nou cheia de acces.",
    },
    "passkey-added": { place: "good-news", text: () => "Cheia de acces a fost adăugată." },
    "passkey-removed": {
      place: "good-news",
      text: () => "Cheia de acces a fost eliminată. Cu ea nu se mai poate confirma nimic.",
    },
    "passkey-name-missing": {
      place: "passkey-name",
      text: () => "Dați cheii de acces un nume de cel mult 40 de caractere.",
    },
    "not-understood": {
      place: "page",
      text: () =>
        "Cheia de acces nu a fost adăugată: răspunsul browserului a venit prea târziu sau nu se potrivește.",
    },
    "known-already": {
      place: "page",
      text: () => "Cheia de acces nu a fost adăugată: banca o cunoaște deja. Creați una nouă.",
    },
    "too-many-passkeys": {
      place: "page",
      text: () =>
        "Cheia de acces nu a fost adăugată: aveți sau ați făcut de ieri încoace atâtea câte pot fi cel mult.",
    },
    revoked: {
      place: "good-news",
      text: () => "Accesul a încetat. De acum înainte nu se mai poate citi nimic pe baza lui.",
    },
    "not-revoked": {
      place: "page",
      text: () => "Nu era nimic de retras: acest acces nu mai este în vigoare.",
    },
  },
  signOut: "Ieșiți din cont",
  signedOut: {
    heading: "Ați ieșit din cont",
    lead: "De aici nimeni nu poate continua fără parola dumneavoastră și un cod nou.",
  },
  stillSignedIn: {
    heading: "Ieșire din cont",
    lead: "Sesiunea dumneavoastră este deschisă în acest browser.",
  },
  signInAgain: "Autentificați-vă din nou",
  inactivity: (count) => `După ${minutes(count)} fără activitate ieșiți automat din cont.`,
};
