import { X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { sealForTests } from "@/clients/typescript/src/testing/seal";
import { rawRequest, saveRefused } from "./raw-request";

const qwacPem = sealForTests("rsa").certificate.toString();
const qwac = new X509Certificate(qwacPem).raw.toString("base64");
const request = {
  method: "POST",
  url: "https://localhost:8443/a?b=c",
  headers: { date: "today" },
  body: Buffer.from("é"),
};

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "drawbridge-raw-"));
});
afterEach(() => rm(dir, { recursive: true }));

it("a raw request is what went over the wire, and the QWAC of its connection", () => {
  expect(rawRequest(request, qwacPem).toString()).toBe(
    [
      "POST /a?b=c HTTP/1.1",
      "host: localhost:8443",
      "date: today",
      "content-length: 2",
      `client-cert: :${qwac}:`,
      "",
      "é",
    ].join("\r\n"),
  );
  const { body: _, ...bodyless } = request;
  const twice = { ...bodyless, headers: [["a", "1"] as const, ["a", "2"] as const] };
  expect(rawRequest(twice, qwacPem).toString()).toMatch(
    /\r\na: 1\r\na: 2\r\nclient-cert: .*\r\n\r\n$/,
  );
});

it("only a refused request is saved, and for its owner's eyes: it may hold a token", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const file = join(dir, "refused.http");
  const save = saveRefused(file, qwacPem);
  const reply = (status: number) => ({ status, headers: {}, body: new Uint8Array() });
  save({ request, reply: reply(201) });
  await expect(stat(file)).rejects.toThrow("ENOENT");
  await writeFile(file, "", { mode: 0o644 });
  save({ request, reply: reply(401) });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect(await readFile(file)).toEqual(rawRequest(request, qwacPem));
  expect(told).toHaveBeenCalledWith(expect.stringContaining(`explain ${file}`));
  told.mockRestore();
});
