import { beforeAll, describe, expect, it } from "vitest";
import type { Psd2Role } from "@/lib/domain/tpp/tpp";
import { qwacParts } from "@/lib/sandbox/tpp-certificate-parts";
import { formatClientCert } from "./client-cert";
import { type Revocation, revocation } from "./revocation/revocation";
import { type Issuing, issueDer, now, request, startIssuing } from "./testing/issuing";
import { checkTokenClient } from "./token-client";

let issuing: Issuing;
beforeAll(async () => {
  issuing = await startIssuing();
});

/** A bank in soft mode whom no issuer answers. */
const silent = () => {
  const fetch = () => Promise.reject(new Error("no answer"));
  return revocation({ mode: "soft", fetch, onFault: () => undefined });
};

async function asking(roles: readonly Psd2Role[], status: Revocation) {
  const parts = qwacParts({ ...request, roles }, issuing.keys.publicKey);
  const clientCert = formatClientCert(await issueDer(issuing.authority, parts));
  const checking = { revocation: status, trustAnchors: issuing.anchors };
  return checkTokenClient(clientCert, checking, now);
}

describe("whoever asks for a token", () => {
  it("C5: and may initiate payments is refused when nobody can tell, in soft mode as well", async () => {
    for (const roles of [["PSP_PI"], ["PSP_AI", "PSP_PI"]] as const) {
      await expect(asking(roles, silent())).rejects.toMatchObject({
        status: 401,
        faults: [{ code: "CERTIFICATE_INVALID" }],
      });
    }
  });

  it("and may not goes on in soft mode", async () => {
    const { tpp } = await asking(["PSP_AI", "PSP_IC"], silent());
    expect(tpp.roles).toEqual(["PSP_AI", "PSP_IC"]);
  });

  it("C5: is refused when its issuer has revoked it, whatever it may do", async () => {
    const revokes: Revocation = { check: async () => "revoked" };
    await expect(asking(["PSP_AI"], revokes)).rejects.toMatchObject({
      faults: [{ code: "CERTIFICATE_REVOKED" }],
    });
  });

  it("C2: is asked for its certificate first", async () => {
    const checking = { revocation: silent(), trustAnchors: issuing.anchors };
    await expect(checkTokenClient(undefined, checking, now)).rejects.toMatchObject({
      faults: [{ code: "CERTIFICATE_MISSING" }],
    });
  });
});
