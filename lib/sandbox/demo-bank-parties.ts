import { aspspProfile } from "@/lib/domain/aspsp-profile";
import type { Iban } from "@/lib/domain/iban";
import { type AccountKey, demoAccounts } from "./demo-bank-accounts";
import { demoCustomers } from "./demo-bank-customers";
import { ibanOf, ownIban } from "./demo-bank-iban";

export type Party = { readonly name: string; readonly iban?: Iban; readonly bic?: string };

/** Somebody with an account at one of two Romanian banks that do not exist. */
function local(name: string, bank: "VALE" | "MUNT", number: number): Party {
  const iban = ibanOf("RO", `${bank}${String(number).padStart(16, "0")}`);
  return { name, iban, bic: `${bank}ROBU` };
}

function german(name: string, number: number): Party {
  return {
    name,
    iban: ibanOf("DE", `99000100${String(number).padStart(10, "0")}`),
    bic: "ELBEDEFF",
  };
}

/** All invented. */
export const parties = {
  employer: local("Atelier Nordic Soft SRL", "VALE", 210_045),
  landlord: local("Ileana Dumitrescu", "MUNT", 55_310),
  housing: local("Asociația de Proprietari Bloc M14", "VALE", 880_014),
  electricity: local("Lumina Codrului Energie SA", "VALE", 640_002),
  gas: local("Gaz Piatra Albă SA", "MUNT", 640_117),
  internet: local("Firnet Telecom SA", "VALE", 640_230),
  insurer: local("Umbrela Asigurări SA", "MUNT", 700_008),
  taxOffice: local("Administrația Fiscală Sector 9", "VALE", 900_001),
  radu: local("Radu Stanciu", "MUNT", 41_277),
  ioana: local("Ioana Câmpeanu", "VALE", 93_650),
  formerBank: local("Ana Popescu", "MUNT", 12_009),
  elenaElsewhere: local("Elena Popescu", "VALE", 12_118),
  nursery: local("Grădinița Ursulețul Vesel", "MUNT", 310_042),
  haulier: local("Transporturi Bistrița Mică SRL", "VALE", 230_771),
  publisher: local("Editura Pana de Gâscă SRL", "VALE", 231_400),
  brewery: local("Berăria Trei Hamei SRL", "MUNT", 231_999),
  officeLandlord: local("Spații Urbane Centrale SRL", "VALE", 300_515),
  bookkeeper: local("Contabilitate Trei Stejari SRL", "MUNT", 300_616),
  scholarship: local("Fundația Pagina de Mâine", "VALE", 900_404),
  client: german("Lindqvist & Falk GmbH", 4_410_072),
  hotel: german("Pension Drei Linden", 1_250_031),
  americanClient: { name: "Harbor & Pine Studio LLC" },
  bank: { name: aspspProfile.name, bic: aspspProfile.bic },
} as const satisfies Record<string, Party>;

/** The holder of one of our own accounts, as the other side sees it. */
export function holderOf(key: AccountKey): Party {
  const { number, owners } = demoAccounts[key];
  const name = demoCustomers[owners[0][0]].name;
  return { name, iban: ownIban(number), bic: aspspProfile.bic };
}
