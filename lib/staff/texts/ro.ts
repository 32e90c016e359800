import { day, dayAndTime, money } from "@/lib/psu/texts/formats";
import type { StaffTexts } from "./en";
import { romanianCases } from "./ro-cases";
import { romanianCounted, romanianHealth, romanianKeys, romanianStatistics } from "./ro-statistics";
import { romanianTpps } from "./ro-tpps";

const formats = {
  locale: "ro-RO",
  and: "și",
  quotes: ["„", "”"],
  messageQuotes: ['"', '"'],
} as const;

const roles = {
  viewer: "cititor",
  support: "asistență",
  approver: "aprobator",
  auditor: "auditor",
} as const;

export const romanian: StaffTexts = {
  lang: "ro",
  title: (heading, bankName) => `${heading} - Consola angajaților - ${bankName}`,
  errorTitle: (title) => `Eroare: ${title}`,
  money: (amount) => money(formats, amount),
  instant: (at, timeZone) => dayAndTime(formats, at, timeZone),
  day: (date) => day(formats, date),
  frame: {
    place: "Consola angajaților",
    language: "Limba acestei pagini",
    errorSummary: "Există o problemă",
    navigation: "Paginile consolei",
    signedInAs: (name, of) => `${name} (${of.map((role) => roles[role]).join(", ")})`,
    signOut: "Ieșire",
    limits: ({ inactivityMinutes, sessionMinutes }) =>
      `Vă autentificați din nou după ${inactivityMinutes} minute fără activitate și, în orice caz, după ${sessionMinutes / 60} ore. Ce vedeți și ce faceți aici se înregistrează.`,
  },
  navigation: {
    home: "Început",
    search: "Căutare",
    tpps: "TPP-uri",
    blocks: "Patru ochi",
    statistics: "Statistici",
    health: "Stare",
    keys: "Chei",
    events: "Evenimente",
  },
  events: {
    heading: "Evenimente",
    lead: "Ce s-a înregistrat într-o oră, în această ordine. Nimeni nu poate schimba ceva neobservat: npm run bank -- events verify le compară cu sigiliile.",
    day: "Ziua",
    hour: "Ora (UTC)",
    everyKind: "Toate felurile",
    next: "Ce urmează în această oră",
    columns: {
      recordedAt: "Înregistrat la",
      kind: "Fel",
      actor: "De către",
      tppId: "TPP",
      about: "Despre",
      detail: "Detalii",
    },
  },
  said: {
    "signed-out": "Ați ieșit din consolă.",
    "wrong-credentials": "Utilizatorul sau parola nu sunt corecte.",
    "provider-unavailable": "Autentificarea nu răspunde în acest moment. Încercați din nou.",
    "not-proved": "Autentificarea nu s-a încheiat. Încercați din nou.",
    "no-role": "V-ați autentificat, dar nu aveți niciun rol în această consolă. Cereți unul.",
    "stale-form": "Pagina a fost deschisă prea mult timp. Nu s-a făcut nimic; încercați din nou.",
    "reason-missing": "Scrieți un motiv. Nu s-a făcut nimic.",
    "not-found": "Nu s-a găsit nimic.",
    fault:
      "A apărut o problemă la noi. Verificați mai întâi dacă s-a făcut, apoi încercați din nou.",
    ended: "Permisiunea s-a încheiat.",
    "not-ended": "Nu era nimic de încheiat: permisiunea se încheiase deja.",
    unlocked: "Clientul se poate autentifica din nou.",
    "request-made": "Cererea a fost trimisă. Altă persoană trebuie să o aprobe.",
    "request-approved": "Aprobată: are efect de acum. Raportul către autoritate este gata.",
    "request-refused": "Cererea a fost refuzată.",
    "request-withdrawn": "Cererea a fost retrasă.",
    "open-already": "Pentru acest TPP există deja o cerere. Nu s-a făcut nimic.",
    "decided-already": "S-a decis deja.",
    "own-request": "Nimeni nu aprobă sau refuză propria cerere. Nu s-a făcut nimic.",
    "not-own-request": "Numai cine a făcut o cerere o retrage. Nu s-a făcut nimic.",
    "over-already": "Blocarea ar fi deja încheiată. Nu s-a făcut nimic.",
    "basis-wrong": "Alegeți un temei legal. Nu s-a făcut nimic.",
    "until-wrong": "Alegeți o zi care nu a trecut sau niciuna. Nu s-a făcut nimic.",
    "secrecy-reason-missing": "Arătați de ce clienții nu sunt informați. Nu s-a făcut nimic.",
  },
  table: {
    filter: "Filtru",
    apply: "Aplicați",
    csv: "Descărcați ca CSV",
    none: "Nu este nimic de afișat.",
  },
  signIn: {
    heading: "Autentificare",
    lead: "Această consolă este pentru angajații băncii.",
    provider: (bankName) => `Autentificare la ${bankName}`,
    operator: "Utilizator",
    password: "Parolă",
    submit: "Autentificare",
    demo: "Operatorii acestui sandbox",
  },
  home: {
    heading: "Început",
    lead: "Alegeți o pagină de mai sus. Care sunt depinde de rolurile dumneavoastră.",
  },
  alone: {
    forbidden: {
      heading: "Rolul dumneavoastră nu permite acest lucru",
      lead: "Pagina sau acțiunea cere un alt rol. Încercarea dumneavoastră a fost înregistrată.",
    },
    "not-found": { heading: "Pagina nu există", lead: "La această adresă nu este nimic." },
    fault: { heading: "A apărut o problemă la noi", lead: "Încercați din nou peste un moment." },
  },
  toStart: "La început",
  cases: romanianCases,
  tpps: romanianTpps,
  counted: romanianCounted,
  statistics: romanianStatistics,
  health: romanianHealth,
  keys: romanianKeys,
};
