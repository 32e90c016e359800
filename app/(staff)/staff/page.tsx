import { Lead } from "@/components/text";
import { HOME } from "@/lib/staff/paths";
import { StaffPage, staffPage } from "../staff-page";

export default function StaffHomePage() {
  return staffPage({ action: undefined, path: HOME, load: async () => ({}) }, (frame) => (
    <StaffPage frame={frame} heading={frame.texts.home.heading}>
      <Lead>{frame.texts.home.lead}</Lead>
    </StaffPage>
  ));
}
