import { addDays, type IsoDate } from "@/lib/domain/iso-date";
import type { AccountKey } from "./demo-bank-accounts";
import { anaCurrent } from "./demo-bank-ana";
import { type Line, lines } from "./demo-bank-lines";
import { type Movement, minor, settled } from "./demo-bank-movement";

/** All that ever happened in the demo bank, as of a local day; the same days and amounts each time. */
export function demoMovements(today: IsoDate): readonly Movement[] {
  const told = Object.entries(lines) as [keyof typeof lines, readonly Line[]][];
  return [
    ...anaCurrent(today),
    ...told.flatMap(([account, list]) => list.flatMap((line) => movementsOf(account, line, today))),
  ];
}

function movementsOf(account: AccountKey, line: Line, today: IsoDate): readonly Movement[] {
  const [ago, every, amount, party, text, code] = line;
  const amountMinor = minor(amount);
  const transfer = amountMinor < 0n ? "PMNT-ICDT-DMCT" : "PMNT-RCDT-DMCT";
  const times = every === 0 ? 1 : Math.floor((ago - 1) / every) + 1;
  return Array.from({ length: times }, (_, index) => {
    const day = addDays(today, index * every - ago);
    const dates = ago === 0 ? { enteredOn: day } : settled(day, 0, today);
    return { account, amountMinor, ...dates, party, code: code ?? transfer, remittance: text };
  });
}
