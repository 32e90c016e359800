import { Lead } from "@/components/text";
import { loadStaffPage } from "@/lib/staff/page-loaders";
import { HOME } from "@/lib/staff/paths";
import { StaffPage, staffPage } from "../staff-page";

export default function StaffHomePage() {
  const loading = loadStaffPage({ action: undefined, path: HOME, load: async () => ({}) });
  return staffPage(loading, (frame) => (
    <StaffPage frame={frame} heading={frame.texts.home.heading}>
      <Lead>{frame.texts.home.lead}</Lead>
    </StaffPage>
  ));
}
