// Sends long bodies that the service refuses before it has read them, with the client of Java's own library, which prefers
// HTTP/2. Prints a line for each request: `ok NAME` or `FAILED NAME: what it got`.
//
//     java EarlyRefusal.java URL CA_FILE TOKEN

import java.io.FileInputStream;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Arrays;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

public class EarlyRefusal {
    static final int LONGEST = 10 * 1024 * 1024;

    static SSLContext trusting(String file) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream in = new FileInputStream(file)) {
            int number = 0;
            for (var certificate : CertificateFactory.getInstance("X.509").generateCertificates(in))
                store.setCertificateEntry("ca" + number++, certificate);
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    /** An object without any field, surrounded by blanks: with a good token the answer is 400. */
    static byte[] body(int size) {
        byte[] bytes = new byte[size];
        Arrays.fill(bytes, (byte) ' ');
        bytes[0] = '{';
        bytes[size - 1] = '}';
        return bytes;
    }

    static String ask(HttpClient client, String url, String authorization, byte[] body, int status) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + "/v1/data-import/notes/create/"))
            .timeout(Duration.ofSeconds(15)).header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofByteArray(body));
        if (authorization != null) request.header("Authorization", authorization);
        try {
            HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            boolean isExpected = answer.statusCode() == status && answer.version() == HttpClient.Version.HTTP_1_1;
            return isExpected ? "" : answer.version() + " " + answer.statusCode() + " " + answer.body();
        } catch (Exception failure) {
            return failure.toString();
        }
    }

    /** Sends a first request, which loads the classes of the client and of TLS and would distort the times. */
    static void warm_up(HttpClient client, String url) throws Exception {
        long begin = System.nanoTime();
        client.send(HttpRequest.newBuilder(URI.create(url + "/healthz")).build(), HttpResponse.BodyHandlers.ofString());
        System.out.println("java, the first request of the process: " + (System.nanoTime() - begin) / 1_000_000 + " ms");
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        HttpClient client = HttpClient.newBuilder().sslContext(trusting(arguments[1])).build();
        warm_up(client, url);
        String[][] senders = {{"no token", null}, {"a wrong token", "Token a.b.c"}, {"a token", "Token " + arguments[2]}};
        for (String[] sender : senders) {
            for (int size : new int[] {110_000, 900_000, 12 * 1024 * 1024}) {
                int status = size > LONGEST ? 413 : sender[0].equals("a token") ? 400 : 401;
                for (int time = 1; time <= 2; ++time) {
                    long begin = System.nanoTime();
                    String failure = ask(client, url, sender[1], body(size), status);
                    String name = "java, " + sender[0] + ", " + size + " bytes, " + time + ", "
                        + (System.nanoTime() - begin) / 1_000_000 + " ms";
                    System.out.println(failure.isEmpty() ? "ok " + name : "FAILED " + name + ": " + failure);
                }
            }
        }
        System.exit(0);
    }
}
