import { LanguageSwitch } from "@/components/frame";
import { NoticePage } from "@/components/page";
import { Lead } from "@/components/text";
import { textsFor } from "@/lib/psu/texts/texts-for";
import { services } from "@/lib/services";
import { frontLanguage, SandboxFront } from "./front";

export default async function FrontPage() {
  const { config, profile, namespaces } = services();
  if (config.SANDBOX) {
    const { WEB_URL: webUrl, XS2A_URL: xs2aUrl } = config;
    const hasNamespaces = namespaces !== undefined;
    return <SandboxFront {...{ bankName: profile.name, webUrl, xs2aUrl, hasNamespaces }} />;
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
