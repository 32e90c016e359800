import { StaffAlone } from "../../staff-page";

export default function NotFoundPage() {
  return <StaffAlone what="not-found" />;
}
