import { parseArgs } from "node:util";
import { describe, expect, it } from "vitest";
import { AuthorisationRefused, http, NoAnswer, Refused } from "@/clients/typescript/src";
import { inWords } from "./in-words";
import { WrongUsage } from "./wrong-usage";

describe("what the person at the terminal is told", () => {
  it("names the address and the next step when no server is running", async () => {
    const nobody = http({ ca: "" });
    const request = { method: "GET", url: "https://localhost:1/x", headers: {} };
    const error = await nobody.send(request).catch((cause: unknown) => cause);
    await nobody.close();
    expect(error).toBeInstanceOf(NoAnswer);
    expect(inWords(new Error("wrapped", { cause: error }))).toEqual({
      exitCode: 1,
      text: 'Nothing answers at https://localhost:1: start the bank with "npm start", or name another with --xs2a.',
    });
  });

  it("points at DATA_DIR when the server's certificate is of another CA", () => {
    const cause = Object.assign(new Error("tls"), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
    expect(inWords(new NoAnswer("https://localhost:8443/x", cause)).text).toContain("DATA_DIR");
  });

  it.each(["ERR_SSL_CA_MD_TOO_WEAK", "ERR_SSL_EE_KEY_TOO_SMALL"])(
    "says that the QWAC was not sent, for %s",
    (code) => {
      const cause = Object.assign(new Error("tls"), { code });
      const said = inWords(new NoAnswer("https://localhost:8443/x", cause));
      expect(said.text).toContain("declines to send qwac.pem");
    },
  );

  it("prints the text of the tppMessages when certificates are refused", () => {
    const text = "not issued by a trusted QTSP";
    const refusal = { tppMessages: [{ category: "ERROR", code: "CERTIFICATE_INVALID", text }] };
    const said = inWords(new Refused(401, refusal as Refused["refusal"]));
    expect(said.exitCode).toBe(1);
    expect(said.text).toContain("CERTIFICATE_INVALID");
    expect(said.text).toContain(text);
  });

  it("has an exit code of its own for a PSU who did not agree", () => {
    expect(inWords(new AuthorisationRefused("access_denied", null))).toEqual({
      exitCode: 3,
      text: "The PSU did not agree: access_denied",
    });
  });

  it("has exit code 2 for a command line that is not understood", () => {
    expect(inWords(new WrongUsage("no"))).toEqual({ exitCode: 2, text: "no" });
    const parse = () => parseArgs({ args: ["--nonsense"], options: {} });
    let error: unknown;
    try {
      parse();
    } catch (caught) {
      error = caught;
    }
    expect(inWords(error).exitCode).toBe(2);
  });
});
