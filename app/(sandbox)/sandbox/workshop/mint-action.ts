"use server";

import { headers } from "next/headers";
import { notFound } from "next/navigation";
import { house } from "@/lib/composition";
import { type CertificateOrder, readOrder } from "@/lib/sandbox/certificate-order";
import { defects, refusalOf } from "@/lib/sandbox/defects";
import { mintedFiles } from "@/lib/sandbox/minted-files";
import { isOpenTo } from "@/lib/workshop/open-to";
import { formOf, textOf } from "./form-text";
import type { MintFields, MintState } from "./state";

/** Makes certificates of the sandbox CA. The keys go to whoever asked, and are kept nowhere. */
export async function mintAction(_before: MintState, sent: FormData): Promise<MintState> {
  const { config, clock } = house();
  if (!isOpenTo(new Headers(await headers()), config)) notFound();
  const filled = fieldsOf(formOf(sent));
  const id = crypto.randomUUID();
  const read = readOrder(filled);
  if ("faults" in read) return { id, filled, outcome: { kind: "faults", faults: read.faults } };
  // By the bank's clock: whoever has moved it wants certificates that are valid then.
  const bank = { dataDir: config.DATA_DIR, webUrl: config.WEB_URL, now: await clock.now() };
  const files = await mintedFiles(read.order, bank);
  return { id, filled, outcome: { kind: "files", note: noteOn(read.order), files } };
}

function noteOn({ spoilt }: CertificateOrder): string {
  if (spoilt === undefined) return "Both certificates are good.";
  const name = spoilt.in === "qwac" ? "The QWAC" : "The QSealC";
  const met = refusalOf(spoilt);
  const answer = met === undefined ? "" : ` The bank answers ${met.code}.`;
  return `${name} ${defects[spoilt.defect].what}; the other one is good.${answer}`;
}

function fieldsOf(form: FormData): MintFields {
  return {
    id: textOf(form, "id"),
    name: textOf(form, "name"),
    roles: form.getAll("roles").filter((role) => typeof role === "string"),
    authorityId: textOf(form, "authorityId"),
    authorityName: textOf(form, "authorityName"),
    domain: textOf(form, "domain"),
    days: textOf(form, "days"),
    defect: textOf(form, "defect"),
    in: textOf(form, "in"),
  };
}
