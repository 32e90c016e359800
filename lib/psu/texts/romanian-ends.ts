import type { ResourceKind } from "@/lib/domain/sca/authorisation";
import { counted } from "./romanian-formats";
import type { Ended, Texts } from "./texts";

const nothingHappened: Readonly<Record<ResourceKind, (ended: Ended) => string>> = {
  AIS: ({ tpp }) => `${tpp} nu a primit acces la nimic.`,
  PIIS: ({ tpp }) => `${tpp} nu a primit acces la nimic.`,
  PIS: () => "Nu s-a plătit nimic.",
};

const nothing = (ended: Ended) => nothingHappened[ended.kind](ended);
const startAgain = ({ tpp }: Ended) => `Puteți începe din nou la ${tpp}.`;
const minutes = (count: number) => counted(count, { one: "un minut", many: "minute" });

/** Pages from which only the way back is left. */
export const romanianEnds: Texts["ends"] = {
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
