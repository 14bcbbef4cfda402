import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;

/**
 * Sends a file of requests, one a line, to the service: java Bulk.java URL API-KEY-FILE FILE [CA-FILE]
 *
 * A line is {"path": "/v1/data-import/notes/create/", "body": {...}}. Prints the lines that were refused, with the reasons,
 * and the counts. The exit status is 0 if every line was accepted.
 */
public class Bulk {
    private static final int LINES = 1000; // of one bulk request; the service takes 10,000
    private static final Set<Integer> PASSING = Set.of(408, 409, 429, 500, 502, 503, 504);
    private static final Pattern TOKEN = Pattern.compile("\"token\": ?\"([^\"]+)\"");
    private static final Pattern TOLD = Pattern.compile("\\{\"line\": ?(\\d+),.*?\"status\": ?(\\d+).*");

    private final String url;
    private final String key;
    private final HttpClient client;
    private String token;

    Bulk(String url, String key, HttpClient client) {
        this.url = url;
        this.key = key;
        this.client = client;
    }

    public static void main(String[] arguments) throws Exception {
        String key = Files.readString(Path.of(arguments[1])).strip();
        HttpClient.Builder builder = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        if (arguments.length > 3) builder.sslContext(trusting(arguments[3]));
        Bulk service = new Bulk(arguments[0], key, builder.build());
        service.obtainToken();
        List<String> lines = Files.readAllLines(Path.of(arguments[2])).stream().filter(line -> !line.isBlank()).toList();
        int refused = 0;
        for (int begin = 0; begin < lines.size(); begin += LINES)
            refused += service.sendLines(lines.subList(begin, Math.min(begin + LINES, lines.size())));
        System.out.println(lines.size() + " lines, " + refused + " refused");
        System.exit(refused > 0 ? 1 : 0);
    }

    /** Sends lines, and sends those again that were not executed. Returns how many were refused. */
    private int sendLines(List<String> lines) throws Exception {
        int refused = 0;
        int tries = 10;
        for (long pause = 1; !lines.isEmpty(); pause = Math.min(pause * 2, 60)) {
            HttpResponse<String> answer = send(request("/v1/data-import/bulk/?results=errors", "application/x-ndjson")
                    .header("Content-Encoding", "gzip")
                    .header("Authorization", "Token " + token)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(packed(lines))));
            if (answer.statusCode() == 401) { // a token holds for an hour
                obtainToken();
                continue;
            }
            if (answer.statusCode() != 200 && answer.statusCode() != 207)
                throw new IOException(answer.statusCode() + ": " + answer.body());
            --tries;
            List<String> again = new ArrayList<>();
            for (String told : answer.body().lines().toList()) {
                Matcher found = TOLD.matcher(told);
                if (!found.matches()) continue; // the counts at the end
                String line = lines.get(Integer.parseInt(found.group(1)) - 1);
                if (found.group(2).startsWith("5") && tries > 0) {
                    again.add(line);
                } else {
                    ++refused;
                    System.out.println(told + " " + line);
                }
            }
            lines = again;
            if (!lines.isEmpty()) Thread.sleep(pause * 1000);
        }
        return refused;
    }

    private void obtainToken() throws Exception {
        String query = "{\"query\": \"mutation { obtainToken(input: {APIKey: \\\"" + key + "\\\"}) { token } }\"}";
        HttpResponse<String> answer =
                send(request("/v1/graphql/", "application/json").POST(HttpRequest.BodyPublishers.ofString(query)));
        Matcher found = TOKEN.matcher(answer.body());
        if (!found.find()) throw new IOException("there is no token: " + answer.body());
        token = found.group(1);
    }

    private HttpRequest.Builder request(String path, String type) {
        return HttpRequest.newBuilder(URI.create(url + path)).timeout(Duration.ofSeconds(120)).header("Content-Type", type);
    }

    /** Sends a request until it gets a final answer. Pauses are as long as the service asks for, or grow. */
    private HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        for (long pause = 1;; pause = Math.min(pause * 2, 60)) {
            long wait = pause;
            try {
                HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
                if (!PASSING.contains(answer.statusCode())) return answer;
                wait = answer.headers().firstValueAsLong("Retry-After").orElse(pause);
            } catch (SSLException failure) {
                throw failure; // the certificate is not trusted: name the authority's as CA-FILE
            } catch (IOException failure) {
                // the request may be stored; repeating it is always right
            }
            Thread.sleep(wait * 1000);
        }
    }

    private static byte[] packed(List<String> lines) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream packed = new GZIPOutputStream(bytes)) {
            for (String line : lines) packed.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    /** Trusts the authority of a trial system; other systems do not need this. */
    private static SSLContext trusting(String file) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null);
        try (InputStream input = new FileInputStream(file)) {
            store.setCertificateEntry("authority", CertificateFactory.getInstance("X.509").generateCertificate(input));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }
}
