import { NoticePage } from "@/components/notice-page";
import { aspspProfile } from "@/lib/domain/aspsp-profile";

export default function NotFound() {
  return (
    <NoticePage
      title={`Page not found - ${aspspProfile.name}`}
      bankName={aspspProfile.name}
      place="Online banking"
      heading="Page not found"
      lead="There is nothing at this address."
    />
  );
}
