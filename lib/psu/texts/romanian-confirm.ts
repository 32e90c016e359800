import type { CodeTexts, FundsTexts, PaymentTexts, TppTexts } from "./confirm-texts";
import { day, money, regionName, time } from "./formats";
import { counted, formats } from "./romanian-formats";

export const romanianTpp: TppTexts = {
  who: "Cine cere",
  registration: (id) => `Număr de înregistrare ${id}`,
  authority: (name, id) => `Autoritate de supraveghere: ${name} (${id})`,
};

const digitsOf = (count: number) => counted(count, { one: "O cifră", many: "cifre" });

export const romanianCode: CodeTexts = {
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

export const romanianPayment: PaymentTexts = {
  heading: (amount, payee) => `Plătiți ${money(formats, amount)} către ${payee}`,
  amount: "Suma",
  money: (amount) => money(formats, amount),
  payee: "Către",
  bic: (bic) => `Cod BIC ${bic}`,
  address: (lines, country) => [...lines, regionName(formats, country)].join(", "),
  message: "Mesaj pentru beneficiar",
  reference: "Referința plății",
  from: "Din contul",
  debited: "Suma debitată",
  converted: (amount) => `${money(formats, amount)}, la cursul orientativ al băncii`,
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
  executed: {
    "instant-sepa-credit-transfers": "Imediat, ca plată instant",
    "sepa-credit-transfers": "Cât mai curând, prin transfer credit SEPA",
    "target-2-payments": "Cât mai curând, prin sistemul TARGET",
    "cross-border-credit-transfers": "Cât mai curând, prin transfer credit transfrontalier",
  },
  consequences:
    "După ce confirmați, banii pleacă din cont. O plată confirmată nu mai poate fi anulată.",
};

export const romanianFunds: FundsTexts = {
  heading: (tpp) => `Permiteți verificarea fondurilor de către ${tpp}`,
  account: "Cont",
  issuer: "Emitentul cardului",
  card: "Cardul",
  cardEnding: (lastDigits) => `Număr de card terminat în ${lastDigits}`,
  noCard: "Nu este precizat",
  until: "Până la",
  untilDay: (date) => day(formats, date),
  untilEnded: "Oprirea de către dumneavoastră sau de către emitentul cardului",
  consequences: (tpp, bankName) =>
    `Când folosiți cardul, ${tpp} poate întreba dacă în cont sunt destui bani pentru o sumă. Află numai „da” sau „nu”, niciodată soldul, și nimic nu se blochează și nu se plătește. Puteți opri oricând aceste verificări, la ${bankName} sau la ${tpp}.`,
};
