import { GuidePage } from "../guide";

export const dynamic = "force-dynamic";

export default function StartPage() {
  return <GuidePage name="start" />;
}
