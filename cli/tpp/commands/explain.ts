import { readFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { explain } from "@/lib/workshop/explain";
import { readPaste } from "@/lib/workshop/read-paste";
import { refusalIn } from "@/lib/workshop/step";
import { dataDirectory, sandboxTime } from "../environment";
import { sandboxContext } from "../sandbox-context";
import { refusalInText, stepsInText } from "../steps-in-text";
import { WrongUsage } from "../wrong-usage";

export const help = `npm run tpp -- explain FILE [OPTIONS]

FILE is a raw HTTP request: request line, headers, a blank line, the body; "-" reads it from the
standard input. "npm run tpp -- accounts --save FILE" writes one when the bank refuses a request.

  --certificate PEM  the file of the QWAC, for a request without the header Client-Cert
  --at INSTANT       judges it by this time, as in 2027-05-20T10:00:00Z; when left out by the clock of the
                     sandbox at WEB_URL, or this machine's

Judged by the sandbox CA under DATA_DIR (default .data), or by TRUST_ANCHORS. Exit codes: 0 the bank
goes on with the request, 1 it refuses it.
`;

export async function run(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { certificate: { type: "string" }, at: { type: "string" } },
    allowPositionals: true,
  });
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0) throw new WrongUsage("explain needs one FILE, or -");
  const { certificate, at } = values;
  const read = readPaste({
    request: file === "-" ? await buffer(process.stdin) : await readFile(file),
    certificate: certificate === undefined ? undefined : await readFile(certificate, "utf8"),
    at,
  });
  if ("fault" in read) throw new WrongUsage(read.fault.text);
  const steps = await explain(read.presented, await means(read.at ?? (await sandboxTime())()));
  const refusal = refusalIn(steps);
  console.log(`${stepsInText(steps)}\n`);
  console.log(
    refusal === undefined
      ? "The bank goes on with it. Its path, token and content are not judged here."
      : `The bank answers ${refusalInText(refusal)}`,
  );
  return refusal === undefined ? 0 : 1;
}

function means(now: Date) {
  return sandboxContext({
    dataDir: dataDirectory(),
    trustAnchors: process.env["TRUST_ANCHORS"] || undefined,
    listSigners: process.env["TRUSTED_LIST_SIGNERS"] || undefined,
    now,
  });
}
