import { StaffAlone } from "../../staff-page";

export default function ForbiddenPage() {
  return <StaffAlone what="forbidden" />;
}
