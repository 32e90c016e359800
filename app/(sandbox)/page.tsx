import { LanguageSwitch } from "@/components/frame";
import { NoticePage } from "@/components/page";
import { Lead } from "@/components/text";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { services } from "@/lib/services";
import { frontLanguage, SandboxFront } from "./front";

export const dynamic = "force-dynamic";

export default async function FrontPage() {
  const { config, profile } = services();
  if (config.SANDBOX) {
    return (
      <SandboxFront bankName={profile.name} webUrl={config.WEB_URL} xs2aUrl={config.XS2A_URL} />
    );
  }
  const texts = textsFor(await frontLanguage());
  return (
    <NoticePage
      title={profile.name}
      bankName={profile.name}
      place={texts.frame.place}
      languages={<LanguageSwitch texts={texts} path="/" />}
      {...texts.alone["nothing-here"]}
    >
      <Lead lang="en">
        For developers: <a href="/docs">guides and the API</a>.
      </Lead>
    </NoticePage>
  );
}
