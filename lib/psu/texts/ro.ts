import type { AccessRights } from "@/lib/domain/accounts";
import type { ResourceKind } from "@/lib/domain/authorisation";
import type { ScaMeans } from "@/lib/domain/bank-profile";
import type { CodePurpose, CodeWording } from "@/lib/domain/dynamic-linking";
import { spacedIban } from "@/lib/domain/values";
import type { Ended, EndTexts, OutcomeTexts, Texts } from "./en";
import {
  day,
  dayAndTime,
  exchangeRate,
  listed,
  money,
  quoted,
  quotedInMessage,
  regionName,
  time,
} from "./formats";

const data = ({ balances, transactions, ownerName }: AccessRights) =>
  listed(formats, [
    "datele contului",
    ...(ownerName ? ["numele titularului"] : []),
    ...(balances ? ["soldul"] : []),
    ...(transactions ? ["tranzacțiile"] : []),
  ]);

const accounts = (count: number) => counted(count, { one: "1 cont", many: "conturi" });
const minutes = (count: number) => counted(count, { one: "un minut", many: "minute" });
export const times = (count: number) =>
  count === 1 ? "o dată" : `de ${counted(count, { one: "o dată", many: "ori" })}`;
const lastDays = (count: number) =>
  count === 1 ? "ultima zi" : `ultimele ${counted(count, { one: "zi", many: "zile" })}`;
const firstMinutes = (count: number) =>
  count === 1 ? "primul minut" : `primele ${minutes(count)}`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const romanianTpp: Texts["tpp"] = {
  who: "Cine cere",
  registration: (id) => `Număr de înregistrare ${id}`,
  authority: (name, id) => `Autoritate de supraveghere: ${name} (${id})`,
};

const digitsOf = (count: number) => counted(count, { one: "O cifră", many: "cifre" });

const romanianCode: Texts["code"] = {
  heading: "Introduceți codul pentru a confirma",
  label: "Cod",
  hint: (digits, sentAt, timeZone) =>
    `${digitsOf(digits)}, prin SMS pe telefonul dumneavoastră, la ora ${time(formats, sentAt, timeZone)}.`,
  expired: "Acest cod a expirat. Cereți unul nou.",
  noMore: "Pentru această cerere nu mai putem trimite coduri.",
  newCode: "Cereți un cod nou",
  submit: "Confirmați",
  firstHeading: "Confirmați cu un cod",
  firstHint: "Codul vine prin SMS pe telefonul dumneavoastră.",
  sendFirst: "Cereți codul",
};

const romanianApproval: Texts["approval"] = {
  signIn: (bankName) => `Autentificare la ${bankName}`,
  signInLead: "Vă autentificați ca în aplicația sau pe site-ul băncii și reveniți aici.",
  appHeading: "Confirmați în aplicația băncii",
  appHint: (reference) =>
    `Deschideți aplicația de pe telefon. Confirmați acolo numai dacă arată la fel ca această pagină, cu referința ${reference}.`,
  appNext: "Am confirmat",
  appFirst: "Cererea vine în aplicația băncii de pe telefonul dumneavoastră.",
  noMore: "Pentru această cerere nu mai putem trimite nimic în aplicație.",
  askApp: "Trimiteți în aplicația mea",
  askAppAgain: "Trimiteți din nou în aplicația mea",
  byApp: "Confirmați în schimb în aplicație",
  providerHeading: "Confirmați prin autentificarea băncii",
  providerHint: "Aceasta arată încă o dată ce confirmați și vă aduce înapoi aici.",
  byProvider: "Continuați pentru a confirma",
  byProviderInstead: "Confirmați în schimb prin autentificarea băncii",
  byCode: "Confirmați în schimb cu un cod",
  noMeansHeading: "Pentru a confirma aveți nevoie de o cheie de acces",
  noMeansHint:
    "Nu aveți încă nicio cheie de acces la această bancă. Adăugați una; pagina ei vă aduce înapoi aici.",
  addPasskey: "Adăugați o cheie de acces",
  blockNotices: {
    blocked: (count, bankName) =>
      `${bankName}: după prea multe coduri sau chei de acces greșite, banca nu mai acceptă niciuna de la dumneavoastră timp de ${minutes(count)}. Dacă nu dumneavoastră ați încercat, sunați la bancă.`,
    warned: (_count, bankName) =>
      `${bankName}: cineva care se poate autentifica în numele dumneavoastră a introdus coduri greșite. Dacă mai greșește, banca nu mai acceptă niciun cod până când sunați. Dacă nu ați fost dumneavoastră, sunați imediat.`,
    "blocked-for-good": (_count, bankName) =>
      `${bankName}: după prea multe coduri sau chei de acces greșite, banca nu mai acceptă niciuna de la dumneavoastră până când sunați.`,
  },
};

const romanianPayment: Texts["payment"] = {
  heading: (amount, payee) => `Plătiți ${money(formats, amount)} către ${payee}`,
  amount: "Suma",
  payee: "Către",
  bic: (bic) => `Cod BIC ${bic}`,
  address: (lines, country) => [...lines, regionName(formats, country)].join(", "),
  message: "Mesaj pentru beneficiar",
  reference: "Referința plății",
  from: "Din contul",
  debited: "Suma debitată",
  converted: (amount, rate) =>
    rate === undefined
      ? money(formats, amount)
      : `${money(formats, amount)}, la cursul ${rate.source}: ${exchangeRate(formats, rate)}`,
  fees: "Comision",
  noFee: "Fără comision",
  fee: (tariff, debited) =>
    tariff.currency === debited.currency
      ? money(formats, tariff)
      : `${money(formats, tariff)}, adică ${money(formats, debited)} din cont`,
  charges: {
    SLEV: undefined,
    SHAR: "Dumneavoastră și beneficiarul plătiți fiecare comisioanele propriei bănci.",
    DEBT: "Dumneavoastră plătiți comisioanele tuturor băncilor.",
    CRED: "Beneficiarul plătește comisioanele tuturor băncilor.",
  },
  execution: "Când",
  executionDate: (day) => `Data executării, dacă confirmați acum: ${day}`,
  executed: {
    "instant-sepa-credit-transfers": "Imediat, ca plată instant",
    "sepa-credit-transfers": "Cât mai curând, prin transfer credit SEPA",
    "target-2-payments": "Cât mai curând, prin sistemul TARGET",
    "cross-border-credit-transfers": "Cât mai curând, prin transfer credit transfrontalier",
  },
  consequences: {
    leaves: "După ce confirmați, banii pleacă din cont.",
    final: "O plată confirmată nu mai poate fi anulată.",
  },
  noFundsHeading: "Acum nu sunt destui bani în cont",
  noFunds: {
    waits:
      "După ce confirmați, plata așteaptă până când sunt destui. Dacă durează prea mult, banca o refuză.",
    refused: "Dacă nici când confirmați nu sunt destui, banca refuză imediat plata.",
  },
  refusalHeading: "Banca ar refuza acum această plată",
  refusals: {
    "account-blocked": () => "Contul dumneavoastră este blocat: nu se pot face plăți din el.",
    "psu-limit": (limits) =>
      limits?.onePayment === undefined
        ? "Depășește suma pe care o permiteți pentru o singură plată."
        : `Depășește suma pe care o permiteți pentru o singură plată: ${money(formats, limits.onePayment)}.`,
    "day-limit": (limits) =>
      limits === undefined
        ? "Împreună cu ce ați plătit astăzi ar depăși limita dumneavoastră pentru o zi."
        : `Împreună cu ce ați plătit astăzi, ${money(formats, limits.usedToday)}, ar depăși limita dumneavoastră pentru o zi: ${money(formats, limits.day)}.`,
  },
};

const romanianFunds: Texts["funds"] = {
  heading: (tpp) => `Permiteți verificarea fondurilor de către ${tpp}`,
  account: "Cont",
  issuer: "Emitentul cardului",
  card: "Cardul",
  cardEnding: (lastDigits) => `Număr de card terminat în ${lastDigits}`,
  noCard: "Nu este precizat",
  until: "Până la",
  untilEnded: "Oprirea de către dumneavoastră sau de către emitentul cardului",
  consequences: (tpp, bankName) =>
    `Când folosiți cardul, ${tpp} poate întreba dacă în cont sunt destui bani pentru o sumă. Află numai „da” sau „nu”, niciodată soldul, și nimic nu se blochează și nu se plătește. Puteți opri oricând aceste verificări, la ${bankName} sau la ${tpp}.`,
};

const tries = (last: string) => (attempts: number | undefined) => {
  if (attempts === undefined) return "";
  if (attempts === 1) return ` V-a mai rămas o încercare. ${last}`;
  return ` V-au mai rămas ${counted(attempts, { one: "o încercare", many: "încercări" })}.`;
};

/** How Romanian is written by this bank. */
export const formats = {
  locale: "ro-RO",
  and: "și",
  quotes: ["„", "”"],
  // Its letters are not those of GSM 7 bit either.
  messageQuotes: ["„", "”"],
} as const;

const plurals = new Intl.PluralRules(formats.locale);

const codesLeft = tries(
  "Dacă nici aceasta nu reușește, cererea va fi refuzată, iar alte încercări pot fi blocate: prima dată pentru o vreme, data următoare până când sunați la bancă.",
);
const passwordsLeft = tries(
  "Dacă nici aceasta nu reușește, cererea va fi refuzată, iar autentificarea poate fi blocată pentru o vreme.",
);

type Left = Readonly<Record<"password" | "second", ReturnType<typeof tries>>>;

/** What came of an answer, in the same words for a TPP's request and in the bank's own channel. */
const romanianAnswers = (left: Left) => ({
  "user-id-missing": () => "Introduceți numele de utilizator.",
  "password-missing": () => "Introduceți parola.",
  "credentials-missing": () => "Introduceți numele de utilizator și parola.",
  "wrong-credentials": (attempts?: number) =>
    `Numele de utilizator și parola nu se potrivesc.${left.password(attempts)}`,
  "too-soon": (seconds?: number) =>
    `Din rețeaua dumneavoastră au venit prea multe încercări greșite. Nu s-a verificat nimic. Așteptați ${waitIn(seconds)}, apoi încercați din nou.`,
  busy: () => "Foarte multe persoane se autentifică acum. Încercați din nou peste câteva secunde.",
  "code-missing": () => "Introduceți codul primit prin SMS.",
  "code-malformed": () => "Introduceți toate cifrele codului și nimic altceva.",
  "wrong-code": (attempts?: number) => `Codul este greșit.${left.second(attempts)}`,
  "code-expired": () => "Codul a expirat. Cereți unul nou și introduceți-l pe acela.",
  "passkey-missing": () =>
    "Cheia de acces nu a dat niciun răspuns. Folosiți-o din nou sau alegeți altă posibilitate, dacă pagina oferă una.",
  "too-many-texts": () =>
    "În ultima oră am trimis atât de multe pe telefonul dumneavoastră încât deocamdată nu mai trimitem nimic. Încercați mai târziu sau alegeți altă posibilitate, dacă pagina oferă una. Dacă nu ați cerut dumneavoastră, este posibil ca altcineva să se poată autentifica în numele dumneavoastră: sunați la bancă.",
  "new-code-sent": () => "V-am trimis un cod nou. Codurile anterioare nu mai sunt valabile.",
  "provider-unavailable": () =>
    "Autentificarea băncii nu poate fi accesată momentan. Nu s-a schimbat nimic. Încercați din nou peste câteva clipe sau renunțați.",
  "login-refused": () => "Nu v-ați autentificat. Autentificați-vă sau mergeți înapoi.",
  "acr-too-low": () =>
    "Autentificarea băncii nu a cerut tot ce este necesar aici. Încercați din nou; dacă se repetă, sunați la bancă.",
  "not-proved": () =>
    "Răspunsul autentificării băncii nu a putut fi folosit: a venit prea târziu sau nu era pentru această cerere. Nu s-a schimbat nimic. Încercați din nou.",
  "stale-form": () =>
    "Pagina nu mai era actuală, așa că răspunsul nu a fost preluat. Vă rugăm să răspundeți din nou.",
  fault: () => "A apărut o eroare la noi. Vă rugăm să răspundeți din nou.",
});

/** What came of the last answer. No text tells which of two things was wrong (RTS art. 4(3)(a)). */
const romanianOutcomes: OutcomeTexts = {
  ...romanianAnswers({ password: passwordsLeft, second: codesLeft }),
  "another-psu": () =>
    "Această cerere a fost începută de altcineva. Se poate autentifica numai acea persoană; altfel, renunțați.",
  "nothing-selected": () => "Alegeți cel puțin un cont.",
  "not-offered": () => "Alegeți dintre conturile din această listă.",
  "wrong-passkey": (attempts) =>
    `Această cheie de acces nu a confirmat ce se vede aici.${codesLeft(attempts)}`,
  "passkey-expired": () =>
    "A durat prea mult, așa că nu s-a confirmat nimic. Folosiți din nou cheia de acces.",
  "not-delivered": () =>
    "SMS-ul nu a putut fi trimis. Este vina noastră și nu vă costă nicio încercare. Încercați din nou peste câteva clipe sau renunțați.",
  "too-many-codes": () =>
    "Pentru această cerere nu mai putem trimite nimic pe telefonul dumneavoastră. Folosiți ce ați primit ultima dată, dacă aveți, sau renunțați.",
  "another-customer": () =>
    "S-a autentificat altcineva. Poate continua numai persoana care a început cererea: autentificați-vă ca acea persoană sau renunțați.",
  changed: () =>
    "Ceea ce confirmați s-a schimbat între timp, de exemplu un curs sau un comision. Nu s-a confirmat nimic și nu vă costă nicio încercare. Verificați ce arată pagina acum, înainte de a confirma. Ce ați primit pe telefon pentru ce era înainte nu mai este valabil.",
  "app-asked": () =>
    "Cererea este acum în aplicația dumneavoastră. Cea dinainte nu mai este valabilă.",
  "app-pending": () =>
    "Nu ați confirmat încă în aplicație. Confirmați acolo, apoi continuați aici.",
  "approval-expired": () => "A durat prea mult, așa că nu s-a confirmat nimic. Cereți încă o dată.",
  "time-after-sign-in": () => "Pentru mai mult timp, mai întâi autentificați-vă.",
  "more-time": () => "Aveți mai mult timp.",
};

const nothingHappened: Readonly<Record<ResourceKind, (ended: Ended) => string>> = {
  AIS: ({ tpp }) => `${tpp} nu a primit acces la nimic.`,
  PIIS: ({ tpp }) => `${tpp} nu a primit acces la nimic.`,
  PIS: () => "Nu s-a plătit nimic.",
};

const nothing = (ended: Ended) => nothingHappened[ended.kind](ended);
const startAgain = ({ tpp }: Ended) => `Puteți începe din nou la ${tpp}.`;

/** Pages from which only the way back is left. */
const romanianEnds: EndTexts = {
  "nothing-to-share": {
    heading: "Nu există conturi la care să dați acces",
    lead: ({ tpp, bankName }) =>
      `Nu aveți niciun cont de plăți la ${bankName}, iar la economii și la credite nu se dă acces pe această cale. ${tpp} nu a primit nimic. Dacă renunțați, vă întoarceți la ${tpp}.`,
  },
  "already-confirmed": {
    heading: "Ați confirmat deja această cerere",
    lead: ({ tpp }) =>
      `A fost confirmată într-o altă fereastră. ${tpp} are răspunsul dumneavoastră.`,
  },
  "no-longer-valid": {
    heading: "Ceea ce ați confirmat s-a încheiat",
    lead: ({ tpp }) =>
      `Ați confirmat această cerere, iar între timp a fost încheiată sau a expirat. ${tpp} nu mai poate face nimic cu ea.`,
  },
  refused: {
    heading: "Această cerere a fost refuzată",
    lead: (ended) => `${nothing(ended)} ${startAgain(ended)}`,
  },
  "too-many-tries": {
    heading: "Prea multe încercări greșite",
    lead: (ended) =>
      `Pentru protecția dumneavoastră, această cerere a fost refuzată. ${nothing(ended)} ${startAgain(ended)}`,
  },
  blocked: {
    heading: "Autentificarea este blocată deocamdată",
    lead: (ended) =>
      `Au fost prea multe încercări greșite la rând cu acest nume de utilizator. ${nothing(ended)} Pentru protecția titularului, nimeni nu îl poate folosi timp de cel puțin ${minutes(ended.blockMinutes)}. După aceea, începeți din nou la ${ended.tpp} sau autentificați-vă chiar la bancă, cu cheia de acces. Dacă tot nu reușiți sau dacă nu dumneavoastră ați încercat, sunați la ${ended.bankName}.`,
  },
  "confirming-blocked": {
    heading: "Confirmarea este blocată deocamdată",
    lead: (ended) =>
      `Au fost prea multe coduri sau chei de acces greșite la rând. ${nothing(ended)} Pentru protecția dumneavoastră, banca nu mai acceptă niciuna timp de cel puțin ${minutes(ended.blockMinutes)}. După aceea, începeți din nou la ${ended.tpp}. Dacă tot nu reușiți sau dacă nu dumneavoastră ați încercat, sunați la ${ended.bankName}.`,
  },
  expired: {
    heading: "Timpul pentru această cerere a trecut",
    lead: (ended) => `${nothing(ended)} ${startAgain(ended)}`,
  },
  withdrawn: {
    heading: "Această cerere a fost retrasă",
    lead: (ended) => `${ended.tpp} nu mai cere acest lucru. ${nothing(ended)}`,
  },
  "not-your-account": {
    heading: "Acest cont nu este al dumneavoastră",
    lead: (ended) =>
      `Contul indicat de ${ended.tpp} nu este printre conturile dumneavoastră de plăți de aici. ${nothing(ended)} Puteți începe din nou la ${ended.tpp}, cu alt cont.`,
  },
  "account-gone": {
    heading: "Această cerere nu mai poate fi confirmată",
    lead: (ended) =>
      `Nu mai aveți acces la cont sau s-a schimbat ceea ce urma să confirmați. ${nothing(ended)}`,
  },
  "tpp-blocked": {
    heading: "Această cerere a fost oprită",
    lead: (ended) =>
      `${ended.bankName} nu acceptă acum cereri de la ${ended.tpp}. ${nothing(ended)} Pentru mai multe informații, sunați la ${ended.bankName}.`,
  },
  "opted-out": {
    heading: "Nu doriți să primiți astfel de cereri",
    lead: (ended) =>
      `I-ați cerut băncii ${ended.bankName} să refuze astfel de cereri, așa că a refuzat-o pe aceasta, venită de la ${ended.tpp}. ${nothing(ended)} Ca să le permiteți din nou, autentificați-vă la bancă, deschideți „Ce refuzați” și renunțați la refuz; apoi începeți din nou la ${ended.tpp}.`,
  },
  "customer-blocked": {
    heading: "Banca v-a blocat accesul",
    lead: (ended) =>
      `${ended.bankName} v-a blocat accesul pe toate canalele, așa că a refuzat această cerere venită de la ${ended.tpp}. ${nothing(ended)} Pentru lămuriri, sunați la ${ended.bankName}.`,
  },
  "account-blocked": {
    heading: "Contul dumneavoastră este blocat",
    lead: (ended) =>
      `Din el nu poate pleca nicio plată, așa că banca a refuzat-o și pe aceasta. ${nothing(ended)} Pentru lămuriri, sunați la ${ended.bankName}.`,
  },
  "above-your-limit": {
    heading: "Această plată depășește limita dumneavoastră",
    lead: (ended) =>
      `Suma este mai mare decât limita pe care ați stabilit-o la ${ended.bankName} pentru o plată, așa că banca a refuzat-o. ${nothing(ended)} Puteți schimba limita sau puteți începe din nou la ${ended.tpp}, cu o sumă mai mică.`,
  },
  "above-day-limit": {
    heading: "Această plată depășește limita dumneavoastră de astăzi",
    lead: (ended) =>
      `Împreună cu ce ați trimis deja astăzi ar fi prea mult, așa că banca a refuzat-o. ${nothing(ended)} Puteți începe din nou la ${ended.tpp}, cu o sumă mai mică sau mâine.`,
  },
};

const signInCodesLeft = tries(
  "Dacă nici aceasta nu reușește, autentificarea va fi blocată: prima dată pentru o vreme, data următoare până când sunați la bancă.",
);
const signInPasswordsLeft = tries(
  "Dacă nici aceasta nu reușește, autentificarea va fi blocată pentru o vreme.",
);

const romanianSignIn: Texts["signIn"] = {
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
      `${bankName}: după prea multe încercări greșite, autentificarea cu numele dumneavoastră este blocată timp de ${minutes(count)}. Dacă nu dumneavoastră ați încercat, sunați la bancă.`,
    warned: (_count, bankName) =>
      `${bankName}: cineva care vă știe parola a introdus coduri greșite. Dacă mai greșește, autentificarea rămâne blocată până când sunați la bancă. Dacă nu ați fost dumneavoastră, sunați imediat.`,
    "blocked-for-good": (_count, bankName) =>
      `${bankName}: după prea multe coduri greșite, autentificarea este blocată până când sunați la bancă sau folosiți cheia de acces.`,
  },
  unlock: {
    hint: "Aveți o cheie de acces? Cu ea vă puteți autentifica acum, deși numele de utilizator este blocat. Într-un browser fără chei de acces sau fără JavaScript, așteptați sau sunați la bancă.",
    submit: "Deblocați cu cheia",
    cancelled: "Nu a fost folosită nicio cheie de acces și nu s-a schimbat nimic.",
  },
  outcomes: {
    ...romanianAnswers({ password: signInPasswordsLeft, second: signInCodesLeft }),
    blocked: (_left, { blockMinutes, bankName }) =>
      `După prea multe răspunsuri greșite, autentificarea este blocată. Încercați din nou peste ${minutes(blockMinutes)}; dacă este blocată și atunci, sunați la ${bankName}.`,
    "blocked-for-good": () =>
      "După prea multe coduri greșite, autentificarea este blocată până când sunați la bancă. Dacă aveți o cheie de acces, ea ridică blocarea.",
    unlocked: () => "Cheia de acces a fost recunoscută. Autentificați-vă acum.",
    "not-unlocked": () => "Cheia de acces nu a fost recunoscută și nu s-a schimbat nimic.",
    "not-delivered": () => "SMS-ul nu a putut fi trimis. Încercați să cereți un cod nou.",
    "too-many-codes": () =>
      "Nu mai putem trimite coduri. Introduceți-l pe ultimul sau luați-o de la început.",
    "wrong-passkey": (attempts) =>
      `Nu v-ați putut autentifica cu această cheie de acces.${signInCodesLeft(attempts)}`,
    "passkey-expired": () =>
      "A durat prea mult, așa că nu v-ați autentificat. Folosiți din nou cheia de acces.",
    "passkey-added": () => "Cheia de acces a fost adăugată.",
    "passkey-removed": () =>
      "Cheia de acces a fost eliminată. Cu ea nu se mai poate confirma nimic.",
    "passkey-name-missing": () => "Dați cheii de acces un nume de cel mult 40 de caractere.",
    "not-understood": () =>
      "Cheia de acces nu a fost adăugată: răspunsul browserului a venit prea târziu sau nu se potrivește.",
    "known-already": () =>
      "Cheia de acces nu a fost adăugată: banca o cunoaște deja. Creați una nouă.",
    "too-many-passkeys": () =>
      "Cheia de acces nu a fost adăugată: aveți sau ați făcut de ieri încoace atâtea câte pot fi cel mult.",
    refused: () =>
      "De acum înainte banca refuză astfel de cereri, iar dumneavoastră nu mai aveți nimic de confirmat.",
    "refused-already": () => "Nu s-a schimbat nimic: banca refuză deja aceste cereri.",
    "not-refused": () => "Astfel de cereri sunt permise din nou.",
    revoked: () => "Accesul a încetat. De acum înainte nu se mai poate citi nimic pe baza lui.",
    "not-revoked": () => "Nu era nimic de retras: acest acces nu mai este în vigoare.",
  },
  signOut: "Ieșiți din cont",
  signedOut: {
    heading: "Ați ieșit din cont",
    lead: "De aici nimeni nu poate continua fără o nouă autentificare.",
  },
  stillSignedIn: {
    heading: "Ieșire din cont",
    lead: "Sesiunea dumneavoastră este deschisă în acest browser.",
  },
  signInAgain: "Autentificați-vă din nou",
  inactivity: (count) => `După ${minutes(count)} fără activitate ieșiți automat din cont.`,
};

const romanianPasskey: Texts["passkey"] = {
  heading: "Confirmați cu cheia de acces",
  hint: "Dispozitivul vă cere amprenta, fața sau codul PIN.",
  codeHint: "Puteți cere în schimb un cod prin SMS, pe telefonul dumneavoastră.",
  submit: "Folosiți cheia de acces",
  sendCode: "Cereți un cod",
  cancelled:
    "Nu s-a folosit nicio cheie de acces și nu s-a confirmat nimic. Încercați din nou sau alegeți altă posibilitate, dacă pagina oferă una.",
};

function withoutPasskey(means: readonly ScaMeans[]): string {
  if (means.includes("code")) {
    return " Dacă nu aveți altă cheie de acces, confirmați cu un cod prin SMS.";
  }
  const isOnlyOne = means.every((one) => one === "passkey");
  return isOnlyOne ? " Dacă nu aveți altă cheie de acces, nu puteți confirma nimic." : "";
}

const romanianPasskeys: Texts["passkeys"] = {
  heading: "Cheile dumneavoastră de acces",
  lead: "Cu o cheie de acces confirmați prin amprentă, prin față sau cu codul PIN al dispozitivului, fără cod prin SMS.",
  notAccepted:
    "Această bancă nu acceptă chei de acces, așa că nu se poate confirma nimic cu ele. Pe cele pe care le aveți le puteți elimina.",
  none: "Nu aveți încă nicio cheie de acces.",
  added: (date) => `Adăugată la ${day(formats, date)}`,
  lastUsed: (date) => `Folosită ultima dată la ${day(formats, date)}`,
  neverUsed: "Nefolosită încă",
  remove: "Eliminați",
  addHeading: "Adăugați o cheie de acces",
  name: "Numele cheii de acces",
  nameHint: "Ca să o recunoașteți, de exemplu dispozitivul pe care se află.",
  add: "Adăugați o cheie",
  needsJavaScript:
    "Pentru a adăuga o cheie de acces, browserul trebuie să cunoască aceste chei și să aibă JavaScript pornit.",
  signInFirst: (minutes) =>
    `O cheie de acces confirmă în numele dumneavoastră. Pentru siguranță, se poate adăuga numai în ${firstMinutes(minutes)} după autentificare.`,
  noMore: (passkeysMax) =>
    `Aveți ${counted(passkeysMax, { one: "o cheie", many: "chei" })} de acces, câte pot fi cel mult.`,
  cancelled: "Nu s-a adăugat nicio cheie de acces. Încercați din nou dacă doriți.",
  removing: (name, means) => ({
    heading: `Eliminați cheia de acces „${name}”?`,
    lead: `Cu ea nu se va mai putea confirma nimic.${withoutPasskey(means)}`,
  }),
  removeSubmit: "Eliminați",
  keep: "Păstrați-o",
  addedMessage: (bankName) =>
    `La ${bankName} s-a adăugat o cheie de acces la autentificarea dumneavoastră. Dacă nu ați făcut-o dumneavoastră, sunați imediat la bancă.`,
  removedMessage: (bankName) =>
    `La ${bankName} s-a eliminat o cheie de acces din autentificarea dumneavoastră. Dacă nu ați făcut-o dumneavoastră, sunați imediat la bancă.`,
  toPermissions: "Accesul pe care l-ați dat",
  toRequest: "Înapoi la ce doriți să confirmați",
};

const romanianPermissions: Texts["permissions"] = {
  notices: {
    heading: "Despre furnizori",
    block: (tpp, reason, at, until) =>
      `${tpp} nu are acces la conturile dumneavoastră prin bancă din ${at}${until === undefined ? "" : `, până la ${until}`}. ${reason} Accesul pe care l-ați dat rămâne neschimbat și are din nou efect când banca îi permite furnizorului să revină; îl puteți retrage mai jos.`,
    unblock: (tpp, at) =>
      `${tpp} poate folosi din nou, din ${at}, accesul în vigoare pe care i l-ați dat.`,
    reasons: {
      "unauthorised-access":
        "Banca are motive să creadă că s-au accesat conturi sau s-au inițiat plăți fără autorizare ori prin fraudă.",
      "authority-order": "Autoritatea care îl supraveghează a dispus acest lucru.",
      "request-of-tpp": "Furnizorul a cerut el însuși acest lucru.",
      "certificate-compromised":
        "Certificatul după care banca îl recunoaște poate fi în mâinile altora.",
      "reasons-over": "Motivele au încetat.",
      "blocked-by-mistake": "Banca îl blocase din greșeală.",
    },
  },
  heading: "Accesul acordat de dumneavoastră",
  lead: "Cine vă poate consulta conturile, ce s-a citit și plățile pregătite de alții pentru dumneavoastră. Puteți retrage oricând un acces.",
  pastShown: (days) =>
    `Ce s-a încheiat cu mai mult de ${counted(days, { one: "o zi", many: "zile" })} în urmă nu mai apare în listă.`,
  shown: { inForce: "În vigoare", past: "Nu sunt în vigoare", all: "Toate" },
  noneInForce: "În acest moment nimeni nu vă poate consulta conturile.",
  nothingFound: "Nu există nimic care să corespundă.",
  search: {
    text: "Furnizor, IBAN sau beneficiar",
    kind: "Ce anume",
    anyKind: "Tot",
    state: "Stare",
    submit: "Căutați",
  },
  newest: "Înapoi la început",
  older: "Pagina următoare",
  toList: "Toată lista",
  everyOf: (tpp, count) => `Toate cele ${count} de la ${tpp}`,
  paying: (amount, payee) => `${amount} către ${payee}`,
  download: "Descărcați toată lista (CSV)",
  downloadHistory: "Descărcați istoricul accesărilor (CSV)",
  details: "Detalii și istoricul accesărilor",
  kinds: {
    accounts: "Informații despre conturi",
    funds: "Confirmarea fondurilor",
    payments: "Plată",
  },
  one: {
    accounts: (tpp) => `${tpp}: informații despre conturi`,
    funds: (tpp) => `${tpp}: confirmarea fondurilor`,
    payments: (tpp) => `${tpp}: plată`,
  },
  states: {
    active: "Activ",
    waiting: "Așteaptă confirmarea dumneavoastră",
    revoked: "Retras de dumneavoastră",
    expired: "Expirat",
    "ended-by-tpp": "Încheiat de furnizor",
    "never-confirmed": "Fără confirmare",
    "in-progress": "Confirmată, în curs de executare",
    "waiting-for-funds": "Confirmată, așteaptă fonduri suficiente în cont",
    paid: "Efectuată",
    "refused-by-bank": "Refuzată de bancă",
  },
  labels: {
    tpp: "Furnizor",
    registration: "Număr de înregistrare",
    kind: "Ce anume",
    status: "Stare",
    data: "Date",
    accounts: "Conturi",
    since: "Din",
    requested: "Data cererii",
    until: "Până la",
    ended: "Data încheierii",
    howOften: "Cât de des",
    lastRead: "Ultima accesare",
    purpose: "În ce scop",
    reason: "Motivul indicat de furnizor",
    card: "Cardul",
    registeredFor: "Este înregistrat pentru",
    amount: "Suma",
    payee: "Către",
    message: "Mesaj pentru beneficiar",
    from: "Din contul",
  },
  purposes: {
    accounts: (tpp) =>
      `Pentru ca ${tpp} să vă poată arăta sau folosi datele conturilor în serviciul său, în mod repetat. Poate doar citi, nu și plăti.`,
    accountsOnce: (tpp) =>
      `Pentru ca ${tpp} să poată folosi o singură dată datele conturilor în serviciul său. Poate doar citi, nu și plăti.`,
    funds: (tpp) =>
      `Pentru ca ${tpp}, care v-a emis un card, să poată întreba înaintea unei plăți cu cardul dacă există bani suficienți.`,
    payments: (tpp) =>
      `Pentru ca ${tpp} să poată pregăti pentru dumneavoastră această singură plată. Află dacă a fost efectuată și nimic altceva despre cont.`,
  },
  roles: {
    PSP_AS: "administrarea conturilor",
    PSP_PI: "inițierea plăților",
    PSP_AI: "informații despre conturi",
    PSP_IC: "emiterea de carduri",
  },
  refusals: {
    heading: "Ce refuzați",
    lead: "Aici îi spuneți băncii ce cereri să refuze, ca nimeni să nu vă mai poată cere să le confirmați. Accesul pe care l-ați dat deja rămâne în vigoare: îl retrageți separat. Puteți schimba oricând această alegere.",
    begin: (tpp) => `Refuzați cererile de la ${tpp}`,
    ofEvery: "Refuzați cererile tuturor furnizorilor",
    ofOne: (tpp) => `Refuzați cererile de la ${tpp}`,
    refuse: {
      accounts: "Refuzați accesul la informații despre conturi",
      funds: "Refuzați confirmarea fondurilor",
      payments: "Refuzați plățile pregătite de alții",
    },
    standing: "Refuzate acum",
    none: "Nu refuzați nimic.",
    any: "orice furnizor",
    refused: {
      accounts: (whose) => `Informații despre conturi: ${whose}`,
      funds: (whose) => `Confirmarea fondurilor: ${whose}`,
      payments: (whose) => `Plăți: ${whose}`,
    },
    since: (instant) => `Din ${instant}`,
    sinceByBank: (instant) => `Din ${instant}, de către bancă, în numele dumneavoastră`,
    allow: "Permiteți din nou astfel de cereri",
    toEvery: "Ce refuzați de la toți furnizorii",
  },
  endedForGood: (tpp) =>
    `Un acces încheiat nu mai poate fi reluat. Ca să folosiți din nou ${tpp}, începeți de acolo și dați unul nou.`,
  neverRead: "Niciodată",
  noAccounts: "Niciunul: nu a fost oferit accesul la niciun cont",
  fundsData: "Dacă în cont sunt bani suficienți pentru o sumă: da sau nu, niciodată soldul",
  fundsOften: "Când este folosit cardul",
  untilEnded: "Când îl încheiați dumneavoastră sau furnizorul",
  history: {
    heading: "Istoricul accesărilor",
    lead: (days) =>
      `Fiecare dată când s-a citit ceva, timp de ${counted(days, { one: "o zi", many: "zile" })}. Ce anume s-a aflat nu se păstrează aici.`,
    none: "Nu s-a citit nimic.",
    when: "Când",
    what: "Ce s-a citit",
    account: "Contul",
    how: "Cum",
    everyAccount: "Toate conturile la care ați dat acces",
    attended: "În timp ce foloseați serviciul",
    unattended: "Fără dumneavoastră",
    reads: {
      accounts: "Lista conturilor",
      "accounts-with-balances": "Lista conturilor, cu solduri",
      "account-details": "Datele contului",
      "account-details-with-balances": "Datele contului, cu sold",
      balances: "Soldurile",
      transactions: "Tranzacțiile",
      transaction: "O tranzacție",
      "funds-check": "Verificarea fondurilor",
    },
    newest: "Cele mai noi",
    older: "Mai vechi",
  },
  revoke: {
    begin: "Retrageți acest acces",
    heading: (tpp) => `Retrageți accesul acordat pentru ${tpp}?`,
    lead: {
      accounts: (tpp) =>
        `De atunci înainte ${tpp} nu mai poate citi nimic din aceste conturi. Ce a citit deja rămâne la furnizor, iar serviciile lui s-ar putea să nu mai funcționeze. Ca să le folosiți din nou, îi dați un acces nou.`,
      funds: (tpp) =>
        `De atunci înainte ${tpp} nu mai primește răspunsuri despre acest cont, așa că s-ar putea ca plata cu cardul să nu mai funcționeze. Ca să îl folosiți din nou, îi dați un acces nou.`,
    },
    submit: "Retrageți accesul",
    keep: "Păstrați-l",
  },
};

const signedIn = (left: string) =>
  `În mai puțin de ${left} sesiunea dumneavoastră se încheie, pentru că nu se întâmplă nimic.`;
const request = (left: string) => `În mai puțin de ${left} trece timpul pentru această cerere.`;
const session = (left: string) => `În mai puțin de ${left} sesiunea dumneavoastră se încheie.`;

const romanianTimeLimit: Texts["timeLimit"] = {
  more: "Am nevoie de mai mult timp",
  signedInLeft: {
    60: signedIn("un minut"),
    30: signedIn("30 de secunde"),
    10: signedIn("10 secunde"),
  },
  request: {
    left: { 60: request("un minut"), 30: request("30 de secunde"), 10: request("10 secunde") },
    over: "Timpul pentru această cerere a trecut.",
  },
  session: {
    left: { 60: session("un minut"), 30: session("30 de secunde"), 10: session("10 secunde") },
    over: "Sesiunea s-a încheiat. Ce nu ați trimis nu a fost preluat.",
  },
  extended: "Aveți mai mult timp.",
  failed: "Nu a reușit. Vă rugăm să încercați din nou.",
  signedOut: (minutes) =>
    `Sesiunea s-a încheiat, pentru că timp de ${counted(minutes, { one: "un minut", many: "minute" })} nu s-a întâmplat nimic. Ce nu ați trimis nu a fost preluat.`,
  signInAgain: "Autentificați-vă din nou",
};

/** The text message with a code. */
const romanianMessage: CodeWording = ({ tppName, purpose, ...proof }) => {
  const what = whatFor(purpose, quotedInMessage(formats, tppName));
  return "code" in proof
    ? `${proof.code} este codul ${what}. Nu îl spuneți nimănui.`
    : `Este confirmarea ${what}. Referința ${proof.reference}.`;
};

const romanianLeaving = {
  done: "Aici ați terminat.",
  confirmed: "Ați confirmat cererea.",
  "not-confirmed": "Nu s-a confirmat nimic.",
} as const;

export const romanian: Texts = {
  lang: "ro",
  quoted: (name) => quoted(formats, name),
  day: (date) => day(formats, date),
  instant: (instant, timeZone) => dayAndTime(formats, instant, timeZone),
  money: (amount) => money(formats, amount),
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
    address: (host) =>
      `Adresa paginilor noastre începe cu https://${host}/, iar browserul arată că legătura este sigură.`,
    support: (phone, email) => `Aveți întrebări? Sunați la ${phone} sau scrieți la ${email}.`,
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
      PIIS: (tpp) => `Apoi vedeți ce poate întreba ${tpp} și confirmați.`,
      PIS: () => "Apoi vedeți plata și o confirmați.",
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
    asBefore: (tpp) =>
      `Sunt bifate conturile din ultimul acces pe care l-ați dat pentru ${tpp}. Puteți schimba alegerea.`,
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
    untilOneOff: (count) => `Se încheie la ${minutes(count)} după ce confirmați`,
    howOften: "Cât de des",
    perDay: (tpp, count) =>
      `Repetat: ori de câte ori folosiți ${tpp} și cel mult ${times(count)} în 24 de ore fără dumneavoastră`,
    oneOff: (tpp) => `O singură dată: cât timp folosiți ${tpp} și o dată fără dumneavoastră`,
    consequences: (tpp, bankName, replacesEarlier) =>
      replacesEarlier
        ? `${tpp} poate numai să consulte: nu poate face plăți. Acest acces înlocuiește accesul repetat pe care l-ați dat anterior pentru ${tpp}. Îl puteți opri oricând, la ${bankName} sau la ${tpp}.`
        : `${tpp} poate numai să consulte: nu poate face plăți. Îl puteți opri oricând, la ${bankName} sau la ${tpp}.`,
  },
  payment: romanianPayment,
  funds: romanianFunds,
  tpp: romanianTpp,
  code: romanianCode,
  approval: romanianApproval,
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
      lead: "Vă rugăm să încercați din nou peste câteva clipe. Nu se dă acces la nimic și nu se plătește nimic fără confirmarea dumneavoastră.",
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
  leaving: (tpp, outcome = "done") => ({
    heading: `Vă ducem înapoi la ${tpp}`,
    lead: `${romanianLeaving[outcome]} Dacă în câteva clipe nu se întâmplă nimic, continuați cu legătura de mai jos.`,
  }),
  continueTo: (tpp) => `Continuați la ${tpp}`,
  tryAgain: "Încercați din nou",
  outcomes: romanianOutcomes,
};

/** Seconds as they are read: of more than a minute and a half, the minutes. */
function waitIn(seconds = 1): string {
  if (seconds <= 90) return counted(seconds, { one: "o secundă", many: "secunde" });
  return counted(Math.ceil(seconds / 60), { one: "un minut", many: "minute" });
}

function whatFor(purpose: CodePurpose, tpp: string): string {
  switch (purpose.kind) {
    case "AIS": {
      const until =
        purpose.until === undefined ? "o singură dată" : `până la ${day(formats, purpose.until)}`;
      return `cu care permiteți ca ${tpp} să consulte ${accounts(purpose.accounts)} ${until}`;
    }
    case "PIIS": {
      const until = purpose.until === undefined ? "" : `, până la ${day(formats, purpose.until)}`;
      return `cu care permiteți ca ${tpp} să verifice dacă în contul ${spacedIban(purpose.iban)} sunt destui bani${until}`;
    }
    case "PIS": {
      const { amount, creditor } = purpose;
      return `pentru a plăti ${money(formats, amount)} către ${quotedInMessage(formats, creditor.name)}, ${creditor.iban}, la cererea ${tpp}`;
    }
  }
}

type Forms = {
  /** The whole phrase, for numbers differ in gender. */
  readonly one: string;
  readonly many: string;
};

/** `1 cont`, `2 conturi`, `20 de conturi`: from twenty on, and again after each hundred's nineteen. */
export function counted(count: number, { one, many }: Forms): string {
  const plural = plurals.select(count);
  if (plural === "one") return one;
  return plural === "few" ? `${count} ${many}` : `${count} de ${many}`;
}
