import type { IsoDate } from "@/lib/domain/iso-date";
import { type Movement, settled } from "./demo-bank-movement";
import type { Random } from "./demo-bank-random";

type Shop = readonly [name: string, place: string, minorFrom: number, minorTo: number];

/** All invented. Where much is bought stands here more than once. */
const shops: readonly [Shop, ...Shop[]] = [
  ["Băcănia din Colț", "București", 1_850, 14_200],
  ["Băcănia din Colț", "București", 2_100, 9_900],
  ["Piața Verde Market", "București", 3_400, 18_750],
  ["Brutăria Spicul Copt", "București", 650, 3_200],
  ["Brutăria Spicul Copt", "București", 650, 2_400],
  ["Cafeneaua Lumea Mică", "București", 1_200, 4_600],
  ["Metropas Bilete", "București", 500, 9_000],
  ["Farmacia Floarea de Tei", "București", 1_490, 12_300],
  ["Librăria Cerneala Albastră", "Cluj-Napoca", 2_990, 15_900],
  ["Stația Dealu Mare", "Ploiești", 12_000, 29_500],
  ["Bistro Hanul cu Nuci", "Brașov", 4_500, 19_800],
  ["Cinema Orizont Vechi", "București", 2_800, 8_400],
  ["Papierhaus Elbufer", "Dresden", 2_150, 11_400],
];

/** None to three card payments a day, about one on average; a shop claims its money within two days. */
export function purchasesOn(day: IsoDate, today: IsoDate, random: Random): readonly Movement[] {
  const count = random.pick([0, 0, 0, 1, 1, 1, 1, 2, 2, 3]);
  return Array.from({ length: count }, () => {
    const [name, place, from, to] = random.pick(shops);
    return {
      account: "anaCurrent",
      amountMinor: BigInt(-random.integer(from, to)),
      ...settled(day, random.integer(1, 2), today),
      party: { name },
      code: "PMNT-CCRD-POSD",
      remittance: `Card ending 4417, ${name}, ${place}, ${day}`,
    };
  });
}
