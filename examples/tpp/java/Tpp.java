import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A TPP in one file, with the JDK (17 or newer) alone: java Tpp.java CERTIFICATES accounts|pay
 *
 * <p>CERTIFICATES is a folder with qwac.pem, qwac.key, qseal.pem, qseal.key and ca.pem, as the sandbox makes them at
 * http://localhost:3000/sandbox/workshop.
 *
 * <p>It prints the address at which the PSU authorises, and waits for the PSU's browser at
 * http://localhost:8080/callback. XS2A_URL names another bank than the sandbox of this machine, PORT another port,
 * DEBTOR_IBAN another account to pay from than ana's at the demo bank; a sandbox with another bank's profile needs it.
 */
public class Tpp {
  static final String XS2A = System.getenv().getOrDefault("XS2A_URL", "https://localhost:8443");
  static final int PORT = Integer.parseInt(System.getenv().getOrDefault("PORT", "8080"));
  static final String REDIRECT_URI = "http://localhost:" + PORT + "/callback";
  static final String AISP = "/open-banking/v3.1/aisp/v1";
  static final String PISP = "/open-banking/v3.1/pisp/v1";
  /** What has to be signed whenever the request has it. */
  static final List<String> COVERED =
      List.of("digest", "x-request-id", "date", "psu-id", "psu-corporate-id", "tpp-redirect-uri", "tpp-nok-redirect-uri");

  /** RFC 9110; RFC_1123_DATE_TIME would write the days before the 10th with one digit. */
  static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH);

  /** The bank's own reasons. */
  static class Refused extends Exception {
    Refused(String reasons) {
      super(reasons);
    }
  }

  final HttpClient http;
  final X509Certificate seal;
  final PrivateKey sealKey;
  final String clientId;

  // region connect
  Tpp(Path folder) throws Exception {
    X509Certificate qwac = certificate(folder.resolve("qwac.pem"));
    seal = certificate(folder.resolve("qseal.pem"));
    sealKey = key(folder.resolve("qseal.key"), seal);
    // organizationIdentifier: there is no registration, it is the OAuth client_id.
    clientId = nameOf(qwac.getSubjectX500Principal().getName("RFC2253", NAMES)).get("organizationIdentifier");

    // The QWAC is shown in TLS, and the bank is the one whose certificate ca.pem has issued.
    KeyStore own = KeyStore.getInstance("PKCS12");
    own.load(null, null);
    own.setKeyEntry("qwac", key(folder.resolve("qwac.key"), qwac), new char[0], new Certificate[] {qwac});
    own.setCertificateEntry("ca", certificate(folder.resolve("ca.pem")));
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, new char[0]);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(own);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    http =
        HttpClient.newBuilder()
            .sslContext(tls)
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(10))
            .build();
  }
  // endregion

  public static void main(String[] args) throws Exception {
    if (args.length != 2 || !List.of("accounts", "pay").contains(args[1])) {
      System.err.println("java Tpp.java CERTIFICATES accounts|pay");
      System.exit(2);
    }
    try {
      Tpp tpp = new Tpp(Path.of(args[0]));
      if (args[1].equals("accounts")) tpp.accounts();
      else tpp.pay();
    } catch (Refused refusal) {
      System.err.println("Refused: " + refusal.getMessage());
      System.exit(1);
    }
  }

  // region accounts
  void accounts() throws Exception {
    String consent =
        """
        {"access":{"balances":[],"transactions":[]},"recurringIndicator":true,"validUntil":"%s",
        "frequencyPerDay":4,"combinedServiceIndicator":false}"""
            .formatted(LocalDate.now(ZoneOffset.UTC).plusDays(90));
    Map<String, Object> created =
        call("POST", AISP + "/consents", Map.of("tpp-redirect-uri", REDIRECT_URI), consent);
    String consentId = text(created, "consentId");
    System.out.println(text(call("GET", AISP + "/consents/" + consentId + "/status", Map.of(), ""), "consentStatus"));
    String token = authorised("AIS:" + consentId, text(created, "_links", "scaOAuth", "href"));
    Map<String, String> shown = Map.of("consent-id", consentId, "authorization", "Bearer " + token);
    for (Object account : list(call("GET", AISP + "/accounts", shown, ""), "accounts")) {
      String path = AISP + "/accounts/" + encoded(text(account, "resourceId"));
      String name = text(account, "iban") + " " + text(account, "currency");
      String query = "?bookingStatus=booked&dateFrom=" + LocalDate.now(ZoneOffset.UTC).minusDays(30);
      Map<String, Object> balances;
      Map<String, Object> report;
      try {
        balances = call("GET", path + "/balances", shown, "");
        report = call("GET", path + "/transactions" + query, shown, "");
      } catch (Refused refusal) {
        // One account may be blocked, and the others are not.
        System.out.println(name + " " + refusal.getMessage());
        continue;
      }
      System.out.println(name);
      for (Object balance : list(balances, "balances")) {
        System.out.println("  " + text(balance, "balanceType") + ": " + text(balance, "balanceAmount", "amount"));
      }
      list(report, "transactions", "booked").stream()
          .limit(3)
          .forEach(entry -> System.out.println(
              "  " + text(entry, "bookingDate") + ": " + text(entry, "transactionAmount", "amount")));
    }
  }
  // endregion

  // region pay
  void pay() throws Exception {
    String payment =
        """
        {"debtorAccount":{"iban":"%s"},"instructedAmount":{"currency":"EUR","amount":"12.50"},
        "creditorAccount":{"iban":"DE89370400440532013000"},"creditorName":"Bakery"}"""
            .formatted(System.getenv().getOrDefault("DEBTOR_IBAN", "RO76DRWB0001000000000102"));
    String product = PISP + "/payments/sepa-credit-transfers";
    Map<String, Object> created = call("POST", product, Map.of("tpp-redirect-uri", REDIRECT_URI), payment);
    String paymentId = text(created, "paymentId");
    authorised("PIS:" + paymentId, text(created, "_links", "scaOAuth", "href"));
    String status;
    do {
      status = text(call("GET", product + "/" + paymentId + "/status", Map.of(), ""), "transactionStatus");
      System.out.println(status);
      Thread.sleep(1_000);
    } while (!List.of("ACSC", "ACCC", "RJCT", "CANC").contains(status));
  }
  // endregion

  // region sign
  /** A signed call of the interface. Throws Refused. */
  Map<String, Object> call(String method, String target, Map<String, String> more, String body) throws Exception {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("accept", "application/json");
    // Sent again, a request has the same id: with it the bank does nothing twice.
    headers.put("x-request-id", UUID.randomUUID().toString());
    headers.put("date", HTTP_DATE.format(ZonedDateTime.now(ZoneOffset.UTC)));
    headers.put("psu-ip-address", "127.0.0.1");
    headers.put("digest", "SHA-256=" + base64(MessageDigest.getInstance("SHA-256").digest(content)));
    if (content.length > 0) headers.put("content-type", "application/json");
    headers.putAll(more);
    List<String> names = COVERED.stream().filter(headers::containsKey).toList();
    String signingString =
        names.stream().map(name -> name + ": " + headers.get(name)).collect(Collectors.joining("\n"));
    boolean isRsa = sealKey.getAlgorithm().equals("RSA");
    Signature signer = Signature.getInstance(isRsa ? "SHA256withRSA" : "SHA256withECDSA");
    signer.initSign(sealKey);
    signer.update(signingString.getBytes(StandardCharsets.UTF_8));
    headers.put(
        "signature",
        "keyId=\"%s\",algorithm=\"%s\",headers=\"%s\",signature=\"%s\""
            .formatted(keyId(), isRsa ? "rsa-sha256" : "ecdsa-sha256", String.join(" ", names), base64(signer.sign())));
    headers.put("tpp-signature-certificate", base64(seal.getEncoded()));
    HttpResponse<String> answer = send(method, XS2A + target, headers, content);
    System.out.println(method + " " + target + ": " + answer.statusCode());
    if (answer.statusCode() >= 400) throw new Refused(answer.body());
    return members(answer.body());
  }

  /** Serial number in hexadecimal and the issuer's name (RFC 2253), its values percent-encoded. */
  String keyId() {
    String issuer =
        nameOf(seal.getIssuerX500Principal().getName("RFC2253", NAMES)).entrySet().stream()
            .map(part -> part.getKey() + "=" + encoded(part.getValue()))
            .collect(Collectors.joining(","));
    return "SN=" + seal.getSerialNumber().toString(16).toUpperCase(Locale.ROOT) + ",CA=" + issuer;
  }
  // endregion

  /** Sent again up to three times, with the same headers, when no answer came. */
  HttpResponse<String> send(String method, String url, Map<String, String> headers, byte[] content)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url))
            .timeout(Duration.ofSeconds(30))
            .method(
                method,
                content.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(content));
    headers.forEach(request::header);
    for (int tries = 1; ; tries++) {
      try {
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
      } catch (IOException broken) {
        if (tries == 4) throw broken;
        Thread.sleep(1_000);
      }
    }
  }

  // region authorised
  /** Has the PSU authorise the resource; the access token for it (authorisation code with PKCE, RFC 7636). */
  String authorised(String scope, String scaOAuth) throws Exception {
    Map<String, Object> server = members(send("GET", scaOAuth, Map.of(), new byte[0]).body());
    String verifier = randomText();
    String state = randomText();
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII));
    Map<String, String> asked = new LinkedHashMap<>();
    asked.put("response_type", "code");
    asked.put("client_id", clientId);
    asked.put("scope", scope);
    asked.put("redirect_uri", REDIRECT_URI);
    asked.put("state", state);
    asked.put("code_challenge", Base64.getUrlEncoder().withoutPadding().encodeToString(hash));
    asked.put("code_challenge_method", "S256");
    System.out.println("The PSU authorises it here: " + text(server, "authorization_endpoint") + "?" + form(asked));
    Map<String, String> came = redirect();
    if (!state.equals(came.get("state")) || !text(server, "issuer").equals(came.get("iss"))) {
      throw new Refused("the redirect is not of this authorisation");
    }
    if (!came.containsKey("code")) throw new Refused("the PSU did not agree: " + came.get("error"));
    Map<String, String> grant =
        Map.of(
            "grant_type", "authorization_code",
            "client_id", clientId,
            "code", came.get("code"),
            "redirect_uri", REDIRECT_URI,
            "code_verifier", verifier);
    Map<String, String> kind = Map.of("content-type", "application/x-www-form-urlencoded");
    byte[] content = form(grant).getBytes(StandardCharsets.US_ASCII);
    HttpResponse<String> token = send("POST", text(server, "token_endpoint"), kind, content);
    if (token.statusCode() != 200) throw new Refused(token.body());
    return text(members(token.body()), "access_token");
  }
  // endregion

  /** What the bank sends the PSU's browser back with. */
  static Map<String, String> redirect() throws Exception {
    CompletableFuture<Map<String, String>> arrived = new CompletableFuture<>();
    HttpServer listener = HttpServer.create(new InetSocketAddress("localhost", PORT), 0);
    listener.createContext("/", exchange -> {
      Map<String, String> parameters = new HashMap<>();
      String query = exchange.getRequestURI().getRawQuery();
      for (String pair : query == null ? new String[0] : query.split("&")) {
        String[] parts = pair.split("=", 2);
        if (parts.length == 2) parameters.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
      }
      byte[] page = "You can close this window.".getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(200, page.length);
      exchange.getResponseBody().write(page);
      exchange.close();
      if (parameters.containsKey("code") || parameters.containsKey("error")) arrived.complete(parameters);
    });
    listener.start();
    try {
      return arrived.get();
    } finally {
      listener.stop(0);
    }
  }

  /** What Java knows by number alone. */
  static final Map<String, String> NAMES = Map.of("2.5.4.97", "organizationIdentifier");

  /** The parts of a distinguished name, the most specific one first. */
  static Map<String, String> nameOf(String distinguishedName) {
    Map<String, String> parts = new LinkedHashMap<>();
    for (String part : distinguishedName.split("(?<!\\\\),")) {
      String[] pair = part.split("=", 2);
      parts.put(pair[0], pair[1].replaceAll("\\\\(.)", "$1"));
    }
    return parts;
  }

  static X509Certificate certificate(Path file) throws Exception {
    try (InputStream pem = Files.newInputStream(file)) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
    }
  }

  static PrivateKey key(Path file, X509Certificate of) throws Exception {
    byte[] der = Base64.getMimeDecoder().decode(Files.readString(file).replaceAll("-----.*?-----", ""));
    return KeyFactory.getInstance(of.getPublicKey().getAlgorithm()).generatePrivate(new PKCS8EncodedKeySpec(der));
  }

  static String randomText() {
    byte[] bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  static String base64(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static String form(Map<String, String> members) {
    return members.entrySet().stream()
        .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
        .collect(Collectors.joining("&"));
  }

  static String text(Object of, String... path) {
    return String.valueOf(at(of, path));
  }

  @SuppressWarnings("unchecked")
  static List<Object> list(Object of, String... path) {
    return (List<Object>) at(of, path);
  }

  static Object at(Object of, String... path) {
    for (String name : path) of = ((Map<?, ?>) of).get(name);
    return of;
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> members(String json) {
    // 204 has no body.
    return json.isEmpty() ? Map.of() : (Map<String, Object>) new Json(json).value();
  }

  /** The JDK reads no JSON. */
  static class Json {
    final String json;
    int at = 0;

    Json(String json) {
      this.json = json;
    }

    /** Maps, lists and strings; numbers, true, false and null as they are written. */
    Object value() {
      return switch (peek()) {
        case '{' -> object();
        case '[' -> array();
        case '"' -> string();
        default -> word();
      };
    }

    Map<String, Object> object() {
      Map<String, Object> members = new LinkedHashMap<>();
      for (at++; peek() != '}'; skip(',')) {
        peek();
        String name = string();
        skip(':');
        members.put(name, value());
      }
      at++;
      return members;
    }

    List<Object> array() {
      List<Object> items = new ArrayList<>();
      for (at++; peek() != ']'; skip(',')) items.add(value());
      at++;
      return items;
    }

    String string() {
      StringBuilder text = new StringBuilder();
      for (at++; json.charAt(at) != '"'; at++) {
        if (json.charAt(at) != '\\') {
          text.append(json.charAt(at));
          continue;
        }
        char escaped = json.charAt(++at);
        int known = "nrtbf".indexOf(escaped);
        if (escaped == 'u') {
          text.append((char) Integer.parseInt(json.substring(at + 1, at + 5), 16));
          at += 4;
        } else {
          text.append(known < 0 ? escaped : "\n\r\t\b\f".charAt(known));
        }
      }
      at++;
      return text.toString();
    }

    String word() {
      int start = at;
      while (at < json.length() && !Character.isWhitespace(json.charAt(at)) && ",]}".indexOf(json.charAt(at)) < 0) at++;
      return json.substring(start, at);
    }

    /** The next character that is no blank. */
    char peek() {
      while (Character.isWhitespace(json.charAt(at))) at++;
      return json.charAt(at);
    }

    void skip(char separator) {
      if (peek() == separator) at++;
    }
  }
}
