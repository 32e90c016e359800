import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  AISP,
  CBPII,
  type HttpReply,
  PISP,
  type Refusal,
  signed,
  text,
} from "@/clients/typescript/src";
import { bankDay } from "@/e2e/harness/consent-request";
import { authoriseFunds } from "@/e2e/harness/funds";
import { ANA_CURRENT, ANA_TRAVEL, PAYEE } from "@/e2e/harness/payment-request";
import type { TestTpp } from "@/e2e/harness/test-tpp";
import { type Check, hold, SkippedError, type Suite } from "./check";

/** Published test cases of another bank's interface, which lie beside the project or are passed over. */
const FILE = join(import.meta.dirname, "../../../shared/conformance/wso2-payloads.json");

/** What the published funds confirmations ask about. */
const CARD = "1234567891234";

type Wanted = readonly [status: number, code?: string | null, because?: string];
type Case = {
  readonly id: string;
  readonly kind: "ais" | "cof" | "pis";
  readonly path?: string;
  readonly body: string;
  /** What their bank answers. */
  readonly want: Wanted;
  /** What this one does, where its specification says otherwise, with the rule. */
  readonly judged?: Wanted;
};
type Published = {
  readonly cases: readonly Case[];
  readonly funds: {
    readonly default: string;
    readonly bad: readonly (readonly [id: string, body: string, path: string | null])[];
  };
};

export const payloads: Suite = {
  name: "Published payloads (wso2/reference-implementation-nextgenpsd2)",
  checks: async ({ newTpp, newPsu }) => {
    if (!existsSync(FILE)) return [{ name: "payloads", run: missing }];
    const { cases, funds } = JSON.parse(readFileSync(FILE, "utf8")) as Published;
    const tpp = await newTpp();
    const grant = await authoriseFunds({ tpp, psu: newPsu() }, { cardNumber: CARD });
    const ask = (body: string) =>
      post(tpp, `${CBPII}/v1/funds-confirmations`, body, {
        authorization: `Bearer ${grant.accessToken}`,
        "consent-id": grant.consentId,
      });
    return [
      ...cases.map((one): Check => {
        const [status, code, because] = one.judged ?? one.want;
        const why = because === undefined ? "" : ` (${because})`;
        return {
          name: `${[status, code, one.id].filter((part) => part !== undefined).join(" ")}${why}`,
          run: async () => expectAnswer(await create(tpp, one), status, code ?? undefined),
        };
      }),
      {
        name: "200 funds confirmation",
        run: async () => expectAnswer(await ask(funds.default), 200),
      },
      ...funds.bad.map(
        ([id, body]): Check => ({
          name: `400 FORMAT_ERROR ${id}`,
          run: async () => expectAnswer(await ask(body), 400, "FORMAT_ERROR"),
        }),
      ),
    ];
  },
};

function missing(): never {
  throw new SkippedError("the published payloads are not beside the project");
}

function create(tpp: TestTpp, { kind, path, body }: Case): Promise<HttpReply> {
  const targets = {
    ais: `${AISP}/consents`,
    cof: `${CBPII}/v2/consents/confirmation-of-funds`,
    pis: `${PISP}/${path}`,
  };
  return post(tpp, targets[kind], body, {
    "psu-ip-address": "198.51.100.7",
    "tpp-redirect-uri": tpp.redirectUri,
  });
}

/** As it is written, which need not be JSON. */
function post(
  { xs2aUrl, http, seal }: TestTpp,
  target: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): Promise<HttpReply> {
  const bytes = Buffer.from(filledIn(body));
  return http.send({
    method: "POST",
    url: xs2aUrl + target,
    headers: signed(seal, bytes, { "content-type": "application/json", ...headers }),
    body: bytes,
  });
}

/** Accounts, currencies and days are placeholders in braces. */
function filledIn(body: string): string {
  const names: Readonly<Record<string, string>> = {
    current: ANA_CURRENT,
    multi: ANA_TRAVEL,
    debtor: ANA_TRAVEL,
    creditor: PAYEE,
    cur: "EUR",
    longdate: `${bankDay(5)}T12:00:00.000Z`,
  };
  return body.replaceAll(/\{\{(\w+)([+-]\d+)?\}\}/g, (_all, name: string, days?: string) => {
    const value = name === "day" ? bankDay(Number(days)) : names[name];
    if (value === undefined) throw new Error(`a payload has {{${name}}}, which stands for nothing`);
    return value;
  });
}

function expectAnswer({ status, body }: HttpReply, wanted: number, code?: string): void {
  const said = text(body);
  assert.equal(status, wanted, `${status} ${said.slice(0, 300)}`);
  if (code === undefined) return;
  const { tppMessages } = JSON.parse(said) as Refusal;
  const codes = tppMessages.map((message) => message.code);
  hold(codes.includes(code), `${code} is not among ${codes.join(", ")}`);
}
