import { clockNotice } from "@/lib/psu/moved-clock";
import type { Language } from "@/lib/psu/texts/language";

/** Above every page while the sandbox's clock is moved: its times are not the reader's. */
export async function ClockNotice({ language }: { readonly language: Language }) {
  const notice = await clockNotice(language);
  return notice === undefined ? null : (
    <aside className="border-b border-line bg-tint px-5 py-2 text-center">{notice}</aside>
  );
}
