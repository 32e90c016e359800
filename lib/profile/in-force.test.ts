import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { log } from "@/lib/log";
import { bankFile } from "./in-force";

const profiles = join(import.meta.dirname, "../../examples/profiles");

it("a new file whose logo comes only later is refused, and taken once the logo has come", async () => {
  const folder = mkdtempSync(join(tmpdir(), "drawbridge-profile-"));
  const refused = vi.spyOn(log, "error").mockImplementation(() => undefined);
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
    refused.mockRestore();
  });
  const file = join(folder, "bank.yaml");
  vi.stubEnv("BANK_PROFILE", file);
  copyFileSync(join(profiles, "drawbridge-bank/bank.yaml"), file);
  const before = bankFile();
  copyFileSync(join(profiles, "banca-zori/bank.yaml"), file);
  const waiting = { timeout: 30_000 };
  await vi.waitFor(() => expect(refused).toHaveBeenCalled(), waiting);
  expect(bankFile()).toBe(before);
  copyFileSync(join(profiles, "banca-zori/logo.svg"), join(folder, "logo.svg"));
  await vi.waitFor(() => expect(bankFile().profile.name).toContain("Zori"), waiting);
});
