import { redirect } from "next/navigation";
import { NOT_FOUND } from "@/lib/staff/paths";

export default function UnknownPage() {
  return redirect(NOT_FOUND);
}
