import { parseArgs } from "node:util";
import {
  type OrderField,
  orderLimits,
  psd2Roles,
  readOrder,
} from "@/lib/sandbox/certificate-order";
import {
  certificatesWith,
  type DefectName,
  defects,
  isDefect,
  refusalOf,
} from "@/lib/sandbox/defects";
import { makeCertificates, writeCertificates } from "../certificates";
import { dataDirectory } from "../environment";
import { table } from "../table";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run tpp -- certificate --id ID --name NAME --roles ROLES --out DIR [OPTIONS]
npm run tpp -- certificate --defect list

Writes qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem (the sandbox CA) into DIR.

  --id ID                organizationIdentifier, e.g. PSDRO-NBR-1234567
  --name NAME            the TPP's name, as the PSU will read it
  --roles ROLES          some of ${psd2Roles.join(",")}
  --out DIR              is made when it is not there

  --authority-name NAME  the competent authority's name
  --authority-id ID      its country and short name, e.g. RO-NBR; taken from --id when left out
  --domain HOST          where the redirect URIs lie; default localhost
  --days N               how long both are valid; default ${orderLimits.daysDefault}
  --defect NAME          one of the two is made faulty, so that the bank refuses it; "list" lists them all
  --in qwac|qseal        the one that is made faulty, where the defect makes sense in both

The sandbox CA is the one under DATA_DIR (default .data); it is made when it is not there. A TLS
library may decline to send a QWAC that is weak-key or sha1, which is why these spoil the seal.
`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...args], options });
  if (values.defect === "list") {
    console.log(defectList());
    return 0;
  }
  const { id, name, roles, out, days, domain, defect, in: place } = values;
  if (id === undefined || name === undefined || roles === undefined || out === undefined) {
    throw new WrongUsage("certificate needs --id, --name, --roles and --out");
  }
  const read = readOrder({
    id,
    name,
    roles: roles.split(","),
    authorityId: values["authority-id"],
    authorityName: values["authority-name"],
    domain,
    days,
    defect,
    in: place,
  });
  if ("faults" in read) throw wrongUsage(read.faults);
  const { organisation, days: lifetime, defect: withDefect } = read.order;
  const now = new Date();
  const notAfter = new Date(now.getTime() + lifetime * 86_400_000);
  const making = { now, notAfter, ...(withDefect !== undefined && { withDefect }) };
  await writeCertificates(out, await makeCertificates(dataDirectory(), organisation, making));
  console.log(`qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem are in ${out}`);
  if (withDefect !== undefined) {
    console.log(`${withDefect.in}.pem has the defect ${withDefect.defect}`);
  }
  return 0;
}

/** Every defect: in which certificate it makes sense, what is spoilt by it, what the bank answers. */
function defectList(): string {
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

const text = { type: "string" } as const;
const options = {
  id: text,
  name: text,
  roles: text,
  out: text,
  "authority-name": text,
  "authority-id": text,
  domain: text,
  days: text,
  defect: text,
  in: text,
} as const;

type Faults = readonly { readonly field: OrderField; readonly text: string }[];

function wrongUsage(faults: Faults): WrongUsage {
  const option = (field: OrderField) =>
    `--${field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return new WrongUsage(faults.map((fault) => `${option(fault.field)} ${fault.text}`).join("\n"));
}
