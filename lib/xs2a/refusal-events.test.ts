import { expect, it } from "vitest";
import { reject } from "@/lib/domain/errors";
import type { NewEvent } from "@/lib/domain/events";
import type { TppId } from "@/lib/domain/values";
import type { Certificate } from "@/lib/eidas/certificate";
import { refusalLog, unknownStatusLog } from "./refusal-events";

const certificate = `:${Buffer.from("der").toString("base64")}:`;
const tppId = "PSDRO-NBR-1" as TppId;

function recorder() {
  const recorded: Pick<NewEvent, "tppId" | "detail">[] = [];
  let milliseconds = 0;
  const record = async ({ tppId: of, detail }: NewEvent) =>
    void recorded.push({ tppId: of, detail });
  const { note } = refusalLog(
    { record },
    () => undefined,
    () => milliseconds,
  );
  return { recorded, note, pass: (more: number) => (milliseconds += more) };
}

it("RTS art. 29: a refusal for want of trust is recorded, one a minute of a caller and code, with how many there were", () => {
  const { recorded, note, pass } = recorder();
  const blocked = { error: reject("CERTIFICATE_BLOCKED", "blocked"), tppId, certificate };
  for (let nth = 0; nth < 4; nth += 1) note(blocked);
  note({ ...blocked, tppId: "PSDRO-NBR-2" as TppId });
  pass(60_000);
  note(blocked);
  expect(recorded).toEqual([
    { tppId, detail: { code: "CERTIFICATE_BLOCKED" } },
    { tppId: "PSDRO-NBR-2", detail: { code: "CERTIFICATE_BLOCKED" } },
    { tppId, detail: { code: "CERTIFICATE_BLOCKED", moreSinceTheLast: 3 } },
  ]);
});

it("a caller whose certificate is refused is known by the certificate's SHA-256", () => {
  const { recorded, note } = recorder();
  note({ error: reject("CERTIFICATE_INVALID", "unknown issuer"), certificate });
  // printf der | sha256sum
  const sha256 = "5050d80d22ecd471ea55df7034042c1e041341ff4066e7f6ff38e20b720df8ea";
  const detail = { code: "CERTIFICATE_INVALID", certificate: sha256 };
  expect(recorded).toEqual([{ detail }]);
});

it("what is refused for another reason is not recorded", () => {
  const { recorded, note } = recorder();
  note({ error: reject("FORMAT_ERROR", "no JSON"), tppId, certificate });
  note({ error: new Error("a fault of the bank"), tppId, certificate });
  expect(recorded).toEqual([]);
});

it("C5: a certificate that is accepted although its status is unknown is recorded", () => {
  const recorded: NewEvent[] = [];
  const record = async (event: NewEvent) => void recorded.push(event);
  const note = unknownStatusLog({ record }, () => undefined);
  note({ thumbprint: "AP8", organizationIdentifier: tppId } as unknown as Certificate);
  const detail = { certificate: "00ff" };
  expect(recorded).toEqual([{ kind: "certificate-status-unknown", tppId, detail }]);
});
