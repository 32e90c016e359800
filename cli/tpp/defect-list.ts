import {
  certificatesWith,
  type DefectName,
  defects,
  isDefect,
  refusalOf,
} from "@/lib/sandbox/defects";
import { table } from "./table";

/** Every defect: in which certificate it makes sense, what is spoilt by it, what the bank answers. */
export function defectList(): string {
  const headings = ["Defect", "In", "The certificate", "The bank answers"];
  const rows = Object.keys(defects)
    .filter(isDefect)
    .map((name) => [name, certificatesWith(name).join(", "), defects[name].what, answerTo(name)]);
  return table(
    headings.map((heading) => ({ heading })),
    rows,
  );
}

function answerTo(defect: DefectName): string {
  const answers = certificatesWith(defect).map((kind) => {
    const refusal = refusalOf({ defect, in: kind });
    return `${refusal?.code}: ${refusal?.text.trimEnd()}…`;
  });
  return [...new Set(answers)].join(" or ");
}
