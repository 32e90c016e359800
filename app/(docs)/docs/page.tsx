import { GuidePage } from "../guide";

export default function StartPage() {
  return <GuidePage name="start" />;
}
