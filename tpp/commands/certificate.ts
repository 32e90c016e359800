import { parseArgs } from "node:util";
import { isRole, makeCertificates, ROLES, type Role, writeCertificates } from "../certificates";
import { dataDirectory } from "../environment";
import { WrongUsage } from "../wrong-usage";

export const summary = "makes the certificates of a TPP: a QWAC and a QSealC of the sandbox CA";

export const help = `npm run tpp -- certificate --id ID --name NAME --roles ROLES --out DIR

Writes qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem (the sandbox CA) into DIR.

  --id ID        organizationIdentifier, e.g. PSDRO-NBR-1234567
  --name NAME    the TPP's name, as the PSU will read it
  --roles ROLES  some of ${ROLES.join(",")}
  --out DIR      is made when it is not there

The sandbox CA is the one under DATA_DIR (default .data); it is made when it is not there.
`;

export async function run(args: readonly string[]): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      id: { type: "string" },
      name: { type: "string" },
      roles: { type: "string" },
      out: { type: "string" },
    },
  });
  const { id, name, roles, out } = values;
  if (id === undefined || name === undefined || roles === undefined || out === undefined) {
    throw new WrongUsage("certificate needs --id, --name, --roles and --out");
  }
  const organisation = { id: organisationIdentifier(id), name, roles: rolesIn(roles) };
  await writeCertificates(out, await makeCertificates(dataDirectory(), organisation));
  console.log(`qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem are in ${out}`);
  return 0;
}

function organisationIdentifier(text: string): string {
  if (/^PSD[A-Z]{2}-[A-Z]{2,8}-[\x21-\x7e]+$/.test(text)) return text;
  throw new WrongUsage(`--id ${text}: not of the form PSDRO-NBR-1234567`);
}

function rolesIn(text: string): readonly Role[] {
  const names = text.split(",").map((name) => name.trim());
  const unknown = names.filter((name) => !isRole(name));
  if (unknown.length > 0) throw new WrongUsage(`--roles: ${unknown.join(", ")} is no PSD2 role`);
  return names.filter(isRole);
}
