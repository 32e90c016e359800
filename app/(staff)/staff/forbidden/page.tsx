import { StaffAlone } from "../../staff-page";

export const dynamic = "force-dynamic";

export default function ForbiddenPage() {
  return <StaffAlone what="forbidden" />;
}
