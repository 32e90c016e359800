import type { Counted } from "@/lib/domain/statistics";
import type { englishHealth, englishKeys, englishStatistics } from "./en-statistics";

export const romanianCounted: Readonly<Record<Counted, string>> = {
  "consent-requested": "Consimțământ cerut",
  "consent-status": "Consimțământul a devenit",
  "payment-requested": "Plată cerută",
  "payment-status": "Plata a devenit",
  "sca-status": "Autorizare",
  "sca-proved": "Dovedit prin",
  "request-refused": "Refuzat",
  read: "Citit",
};

export const romanianStatistics: typeof englishStatistics = {
  heading: "Statistici",
  counted: (to) => `Numărate până la ${to}.`,
  from: "De la",
  to: "Până la",
  show: "Arătați",
  given: "Consimțăminte date pe zi",
  consents: "Consimțăminte după stare",
  payments: "Plăți după produs și stare",
  refusals: "Refuzuri după cod",
  proofs: "Dovezi ale clienților după mijloc",
  outcomes: "Autorizări după rezultat",
  all: "Toate numerele pe zi",
  count: "Număr",
  none: "Niciunul în aceste zile.",
};

export const romanianHealth: typeof englishHealth = {
  heading: "Stare",
  lead: "De ce are nevoie acest server și când s-au încheiat ultima dată sarcinile oricărui server.",
  answers: "Ce răspunde",
  of: {
    database: "Baza de date",
    coreBank: "Sistemul central al băncii",
    customers: "Furnizorul de identitate al clienților",
    staff: "Furnizorul de identitate al angajaților",
  },
  yes: "Răspunde",
  no: "Nu răspunde",
  notNamed: "Nu este numit niciunul: cel al sandbox-ului",
  jobs: "Sarcini",
  job: {
    sweep: "Încheie ce a expirat, șterge ce nu se mai păstrează",
    "event-keeping": "Sigilează și numără evenimentele",
    payments: "Trimite plățile și le urmărește",
  },
  queues: "Ce așteaptă",
  paymentDue: "O plată de trimis, scadentă din",
  sealed: "Ultima oră de evenimente sigilată",
  unsent: "Un sigiliu de trimis în altă parte, din",
  countedTo: "Evenimente numărate până la",
  webhooks: "Webhook-uri către sistemele băncii",
  outbox: (waiting, failing, since) =>
    `${waiting} în așteptare, cel mai vechi din ${since}; ${failing} au eșuat cel puțin o dată`,
  nothing: "Nimic",
};

export const romanianKeys: typeof englishKeys = {
  heading: "Chei și certificate",
  lead: "Ale acestui server, ale emitenților de încredere și ale TPP-urilor ale căror certificate se încheie în 30 de zile.",
  columns: { what: "Ce", subject: "Subiect sau id", end: "Se încheie", left: "Rămas" },
  kinds: {
    tls: "Certificat TLS pentru TPP-uri",
    "bank-api": "Certificat TLS pentru sistemele băncii",
    "core-bank": "Certificat client pentru sistemul central",
    anchor: "Emitent de încredere",
    list: "Listă de încredere, următoarea actualizare",
    "signing-key": "Cheia de semnare a tokenurilor (kid)",
    tpp: "Certificat al unui TPP",
  },
  noEnd: "Când este înlocuită",
  over: "Încheiat",
  daysLeft: (days, soon) => `${soon ? "Curând: " : ""}${days} zile`,
};
