import { StaffAlone } from "../../staff-page";

export const dynamic = "force-dynamic";

export default function NotFoundPage() {
  return <StaffAlone what="not-found" />;
}
