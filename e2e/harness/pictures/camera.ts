import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, type Page } from "@playwright/test";
import {
  expectAccessible,
  expectAccessibleInLight,
  expectReflow,
  expectReflowOfLargeText,
} from "../accessible";
import { smallPng } from "./small-png";
import { type Flow, type Picture, pictures, type Shot, shotsOf } from "./table";

export const DIRECTORY = join(import.meta.dirname, "../../../docs/images/psu");
/** Pictures are made when asked for, and only looked at otherwise: machines draw letters differently. */
export const UPDATES = process.env["UPDATE_SCREENSHOTS"] === "1";

const SCREEN = { width: 800, height: 600 };
/** What is left of a screen of 1280 px at 400 % (WCAG 1.4.10). */
const PHONE = { width: 320, height: 640 };

/** Takes every picture of one flow, on whatever page the name stands for, and has axe look at it. */
export function cameraFor(flow: Flow, page: Page) {
  const left = new Map(Object.entries(pictures[flow]));

  async function take(name: string): Promise<void> {
    const picture = left.get(name);
    if (picture === undefined) throw new Error(`${flow} has no picture ${name} to take`);
    left.delete(name);
    await shoot(page, name, picture);
  }

  return { take, left: () => [...left.keys()] };
}

async function shoot(page: Page, name: string, picture: Picture): Promise<void> {
  await page.setViewportSize(SCREEN);
  await isShown(page, picture.en);
  if (picture.ro !== undefined) await expectReflowOfLargeText(page);
  await expectAccessibleInLight(page);
  await keep(page, { name, picture, on: "screen" });
  if (picture.ro !== undefined) await switchTo(page, "Română");
  await page.setViewportSize(PHONE);
  await isShown(page, picture.ro ?? picture.en);
  await expectAccessible(page);
  await keep(page, { name, picture, on: "phone" });
  if (picture.ro !== undefined) await switchTo(page, "English");
}

/** The right page, and as wide as what it is shown on. */
async function isShown(page: Page, heading: string): Promise<void> {
  await expect(page.getByRole("heading", { level: 1 })).toContainText(heading);
  await expectReflow(page);
}

async function switchTo(page: Page, language: string): Promise<void> {
  await page.getByRole("button", { name: language, exact: true }).click();
  const lang = language === "English" ? "en" : "ro";
  await expect(page.locator("html")).toHaveAttribute("lang", lang);
}

type Kept = {
  readonly name: string;
  readonly picture: Picture;
  readonly on: Shot["on"];
};

async function keep(page: Page, { name, picture, on }: Kept): Promise<void> {
  if (!UPDATES) return;
  mkdirSync(DIRECTORY, { recursive: true });
  const fullPage = picture.screenOnly !== true;
  for (const { file, colorScheme } of shotsOf(name, picture).filter((shot) => shot.on === on)) {
    await page.emulateMedia({ colorScheme });
    const png = await page.screenshot({ fullPage, animations: "disabled", caret: "hide" });
    writeFileSync(join(DIRECTORY, file), smallPng(png));
  }
}
