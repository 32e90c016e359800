import { clockNotice } from "@/lib/psu/moved-clock";

/** Above every page while the sandbox's clock is moved: its times are not the reader's. */
export async function ClockNotice() {
  const notice = await clockNotice();
  return notice === undefined ? null : <aside className="clock-notice">{notice}</aside>;
}
