import type { AccessRights } from "@/lib/domain/consent/access-request";
import { day, dayAndTime, listed, quoted, time } from "./formats";
import { romanianCode, romanianFunds, romanianPayment, romanianTpp } from "./romanian-confirm";
import { romanianEnds } from "./romanian-ends";
import { counted, formats } from "./romanian-formats";
import { romanianMessage } from "./romanian-message";
import { romanianOutcomes } from "./romanian-outcomes";
import { romanianPasskey, romanianPasskeys } from "./romanian-passkeys";
import { romanianPermissions } from "./romanian-permissions";
import { romanianSignIn } from "./romanian-sign-in";
import { romanianTimeLimit } from "./romanian-time-limit";
import type { Texts } from "./texts";

const data = ({ balances, transactions, ownerName }: AccessRights) =>
  listed(formats, [
    "datele contului",
    ...(ownerName ? ["numele titularului"] : []),
    ...(balances ? ["soldul"] : []),
    ...(transactions ? ["tranzacțiile"] : []),
  ]);

const accounts = (count: number) => counted(count, { one: "1 cont", many: "conturi" });
const minutes = (count: number) => counted(count, { one: "un minut", many: "minute" });
const times = (count: number) =>
  count === 1 ? "o dată" : `de ${counted(count, { one: "o dată", many: "ori" })}`;
const lastDays = (count: number) =>
  count === 1 ? "ultima zi" : `ultimele ${counted(count, { one: "zi", many: "zile" })}`;
const firstMinutes = (count: number) =>
  count === 1 ? "primul minut" : `primele ${minutes(count)}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const romanian: Texts = {
  lang: "ro",
  quoted: (name) => quoted(formats, name),
  title: (heading, bankName) => `${heading} - ${bankName}`,
  errorTitle: (title) => `Eroare: ${title}`,
  frame: {
    place: "Servicii bancare online",
    language: "Limba paginii",
    request: {
      AIS: (tpp) => `${tpp} cere acces la informații despre conturi`,
      PIIS: (tpp) => `${tpp} cere să poată verifica fondurile`,
      PIS: (tpp) => `${tpp} cere o plată`,
    },
    step: (step, steps) => `Pasul ${step} din ${steps}`,
    errorSummary: "A apărut o problemă",
    errorPrefix: "Eroare:",
    cancel: "Renunțați",
    backTo: (tpp) => `Înapoi la ${tpp}`,
    openUntil: (instant, timeZone) =>
      `Puteți încheia această cerere până la ora ${time(formats, instant, timeZone)} (ora băncii).`,
    inactivity: (count) =>
      `După ${minutes(count)} fără activitate va trebui să vă autentificați din nou.`,
    phishing: (bankName) =>
      `${bankName} nu vă cere niciodată parola sau un cod la telefon ori prin e-mail.`,
    sandbox: "Acesta este un mediu de testare. Nici banca, nici banii nu sunt reali.",
    sandboxPeople: "Clienți de probă și parole (filă nouă)",
    sandboxPhone: "Deschideți telefonul de probă (filă nouă)",
    clockMoved: (now, timeZone) =>
      `Ceasul mediului de testare este mutat: acum este ${dayAndTime(formats, now, timeZone)}.`,
  },
  login: {
    heading: (bankName) => `Autentificare la ${bankName}`,
    lead: {
      AIS: (tpp) => `Apoi alegeți conturile pe care le poate consulta ${tpp}.`,
      PIIS: (tpp) => `Apoi vedeți ce poate întreba ${tpp} și confirmați cu un cod.`,
      PIS: () => "Apoi vedeți plata și o confirmați cu un cod.",
    },
    userId: "Nume de utilizator",
    password: "Parolă",
    submit: "Continuați",
  },
  loginAgain: {
    heading: "Autentificați-vă din nou",
    lead: "Sesiunea dumneavoastră s-a încheiat, de exemplu pentru că o vreme nu s-a întâmplat nimic. Autentificați-vă și continuați de unde ați rămas.",
  },
  notYours: {
    heading: "Această cerere nu este a dumneavoastră",
    lead: "A fost începută de altcineva. Poate continua numai persoana care s-a autentificat prima: dacă sunteți acea persoană, autentificați-vă; altfel, renunțați.",
  },
  accounts: {
    heading: "Alegeți conturile la care dați acces",
    lead: (tpp, rights) => `${tpp} poate consulta ${data(rights)} pentru conturile alese.`,
    legend: "Conturile dumneavoastră de plăți",
    all: "Toate conturile",
    allHint: "Dați acces la toate conturile din listă, bifate sau nu.",
    blocked: "Blocat",
    submit: "Continuați",
  },
  summary: {
    heading: (tpp, count) => `Dați acces la ${accounts(count)} pentru ${tpp}`,
    data: "Date",
    dataIn: (rights) => capital(data(rights)),
    transactions: (days, count) =>
      `Tranzacțiile arată ce cheltuiți și ce încasați, și cu cine: cele din ${lastDays(days)}, iar în ${firstMinutes(count)} și altele mai vechi.`,
    accounts: "Conturi",
    onlyData: (rights) => `Numai ${data(rights)}`,
    change: "Schimbați conturile",
    until: "Până la",
    untilDay: (date) => day(formats, date),
    untilOneOff: (count) => `Se încheie la ${minutes(count)} după ce confirmați`,
    howOften: "Cât de des",
    perDay: (tpp, count) =>
      `Repetat: ori de câte ori folosiți ${tpp} și cel mult ${times(count)} în 24 de ore fără dumneavoastră`,
    oneOff: (tpp) => `O singură dată: cât timp folosiți ${tpp} și o dată fără dumneavoastră`,
    consequences: (tpp, bankName, recurring) =>
      recurring
        ? `${tpp} poate numai să consulte: nu poate face plăți. Acest acces înlocuiește accesul repetat pe care l-ați dat anterior pentru ${tpp}. Îl puteți opri oricând, la ${bankName} sau la ${tpp}.`
        : `${tpp} poate numai să consulte: nu poate face plăți. Îl puteți opri oricând, la ${bankName} sau la ${tpp}.`,
  },
  payment: romanianPayment,
  funds: romanianFunds,
  tpp: romanianTpp,
  code: romanianCode,
  codeMessage: romanianMessage,
  ends: romanianEnds,
  alone: {
    gone: {
      heading: "Această pagină nu mai este deschisă",
      lead: "La cerere s-a răspuns deja, timpul ei a trecut sau a fost începută în alt browser. Întoarceți-vă la aplicația sau la site-ul de unde ați venit și începeți din nou acolo.",
    },
    "unknown-client": {
      heading: "Nu știm cine v-a trimis aici",
      lead: "Aplicația sau site-ul care v-a trimis aici nu s-a prezentat băncii. Nu s-a dat acces la nimic și nu s-a plătit nimic. Întoarceți-vă acolo și anunțați administratorul.",
    },
    "wrong-redirect-uri": {
      heading: "Nu vă putem conduce înapoi în siguranță",
      lead: "Aplicația sau site-ul care v-a trimis aici a indicat o adresă de întoarcere care nu ține de această cerere. Nu s-a dat acces la nimic și nu s-a plătit nimic. Întoarceți-vă acolo și anunțați administratorul.",
    },
    fault: {
      heading: "A apărut o eroare la noi",
      lead: "Vă rugăm să încercați din nou peste câteva clipe. Nu se dă acces la nimic și nu se plătește nimic fără confirmarea dumneavoastră cu un cod.",
    },
    unavailable: {
      heading: "Nu putem răspunde în acest moment",
      lead: "Vă rugăm să încercați din nou peste câteva clipe. Dacă tocmai ați confirmat ceva, veți vedea atunci dacă s-a făcut; nimic nu se face de două ori.",
    },
    "not-found": {
      heading: "Pagina nu a fost găsită",
      lead: "La această adresă nu există nimic. Dacă ați venit dintr-o aplicație sau de pe un site, întoarceți-vă acolo și începeți din nou.",
    },
    "nothing-here": {
      heading: "Aici nu aveți nimic de făcut",
      lead: "Aici ajungeți dintr-o aplicație sau de pe un site care cere acces la conturi. Începeți acolo.",
    },
  },
  signIn: romanianSignIn,
  permissions: romanianPermissions,
  passkey: romanianPasskey,
  passkeys: romanianPasskeys,
  timeLimit: romanianTimeLimit,
  leaving: (tpp) => ({
    heading: `Vă ducem înapoi la ${tpp}`,
    lead: "Aici ați terminat. Dacă în câteva clipe nu se întâmplă nimic, continuați cu legătura de mai jos.",
  }),
  continueTo: (tpp) => `Continuați la ${tpp}`,
  tryAgain: "Încercați din nou",
  outcomes: romanianOutcomes,
};
