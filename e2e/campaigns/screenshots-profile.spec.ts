import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freshSettings, startServer } from "../harness/server";
import { expect, test } from "../harness/test";

test.setTimeout(300_000);

for (const bank of ["drawbridge-bank", "banca-zori"]) {
  test(`the sign-in of ${bank}, in light and dark`, async ({ page }) => {
    const folder = await mkdtemp(join(tmpdir(), "drawbridge-profile-"));
    const shared = { BANK_PROFILE: join("examples/profiles", bank, "bank.yaml") };
    const settings = { ...(await freshSettings(folder)), shared };
    const server = await startServer(settings);
    try {
      await page.setViewportSize({ width: 800, height: 760 });
      for (const [scheme, suffix] of [
        ["light", ""],
        ["dark", "-dark"],
      ] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.goto(`${settings.webUrl}/permissions`);
        await expect(page).toHaveScreenshot(`${bank}-sign-in${suffix}.png`);
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });
}
