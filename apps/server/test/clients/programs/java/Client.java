import java.io.FileInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;

/**
 * Requests, streams and WebSockets by java.net.http (HTTP/1.1) and OkHttp (HTTP/2) until the stop file exists. HTTP/2 of
 * java.net.http fails all requests in flight at any GOAWAY before JDK 24 (JDK-8335181), whatever the server.
 */
public class Client {
  static final AtomicInteger requests = new AtomicInteger();
  static final AtomicInteger streams = new AtomicInteger();
  static final AtomicInteger sockets = new AtomicInteger();
  static final List<String> errors = new ArrayList<>();

  static boolean going() {
    return !Files.exists(Path.of(System.getenv("STOP")));
  }

  static void failed(String what, Throwable error) {
    synchronized (errors) {
      errors.add(what + ": " + error);
    }
  }

  static TrustManager[] trustManagers(String file) throws Exception {
    var store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (var in = new FileInputStream(file)) {
      store.setCertificateEntry("ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    return factory.getTrustManagers();
  }

  static SSLContext trust(String file) throws Exception {
    var context = SSLContext.getInstance("TLS");
    context.init(null, trustManagers(file), null);
    return context;
  }

  static OkHttpClient okHttp(SSLContext context, TrustManager[] trust) {
    return new OkHttpClient.Builder()
        .sslSocketFactory(context.getSocketFactory(), (X509TrustManager) trust[0])
        .readTimeout(Duration.ofSeconds(30))
        .build();
  }

  static void fetch(OkHttpClient client, String url, String body, String expected) throws Exception {
    var builder = new Request.Builder().url(url);
    if (body != null) builder.post(RequestBody.create(body, null));
    try (var response = client.newCall(builder.build()).execute()) {
      var text = response.body().string();
      if (response.code() != 200 || !text.equals(expected) || response.protocol() != Protocol.HTTP_2)
        throw new IllegalStateException("status " + response.code() + ", " + text.length() + " bytes");
    }
  }

  interface Task {
    void run() throws Exception;
  }

  static Thread loop(String name, AtomicInteger counter, int pause, Task task) {
    var thread = new Thread(() -> {
      while (going()) {
        try {
          task.run();
          counter.incrementAndGet();
          Thread.sleep(pause);
        } catch (Exception error) {
          failed(name, error);
        }
      }
    });
    thread.start();
    return thread;
  }

  static void fetch(HttpClient client, String url, String body, String expected) throws Exception {
    var builder = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(30));
    if (body != null) builder.POST(HttpRequest.BodyPublishers.ofString(body));
    var response = client.send(builder.build(), BodyHandlers.ofString());
    if (response.statusCode() != 200 || !response.body().equals(expected))
      throw new IllegalStateException("status " + response.statusCode() + ", " + response.body().length() + " bytes");
  }

  static class Listener implements WebSocket.Listener {
    final CompletableFuture<Integer> closed = new CompletableFuture<>();

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      closed.complete(status);
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      closed.completeExceptionally(error);
    }
  }

  static void socket(HttpClient client, String url) throws Exception {
    var listener = new Listener();
    var socket = client.newWebSocketBuilder().buildAsync(URI.create(url), listener).get(30, TimeUnit.SECONDS);
    while (going() && !listener.closed.isDone()) {
      try {
        socket.sendText("hello", true).get(30, TimeUnit.SECONDS);
      } catch (Exception error) {
        break;
      }
      Thread.sleep(100);
    }
    if (going()) {
      int status = listener.closed.get(30, TimeUnit.SECONDS);
      if (status == 1006) throw new IllegalStateException("ended without a close frame");
    }
    socket.abort();
  }

  public static void main(String[] arguments) throws Exception {
    var plain = System.getenv("PLAIN");
    var secure = System.getenv("SECURE");
    var lines = Integer.parseInt(System.getenv("LINES"));
    var stream = IntStream.range(0, lines).mapToObj(i -> i + "\n").collect(Collectors.joining());
    var context = trust(System.getenv("CA"));
    var threads = new ArrayList<Thread>();
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).sslContext(context).build();
    var long_ = "x".repeat(5000);
    for (var base : List.of(plain, secure)) {
      var name = "java.net.http " + base.split(":")[0] + " ";
      threads.add(loop(name + "GET", requests, 10, () -> fetch(client, base + "/", null, "ok")));
      threads.add(loop(name + "proxied", requests, 10, () -> fetch(client, base + "/proxied", null, "ok")));
      threads.add(loop(name + "POST", requests, 10, () -> fetch(client, base + "/echo", long_, long_)));
      threads.add(loop(name + "stream", streams, 0, () -> fetch(client, base + "/drip", null, stream)));
    }
    var okHttp = okHttp(context, trustManagers(System.getenv("CA")));
    threads.add(loop("OkHttp GET", requests, 10, () -> fetch(okHttp, secure + "/", null, "ok")));
    threads.add(loop("OkHttp proxied", requests, 10, () -> fetch(okHttp, secure + "/proxied", null, "ok")));
    threads.add(loop("OkHttp POST", requests, 10, () -> fetch(okHttp, secure + "/echo", long_, long_)));
    threads.add(loop("OkHttp stream", streams, 0, () -> fetch(okHttp, secure + "/drip", null, stream)));
    for (var base : List.of(plain, secure)) {
      var url = base.replaceFirst("http", "ws") + "/ws";
      threads.add(loop("Java WebSocket " + url.split(":")[0], sockets, 10, () -> socket(client, url)));
    }
    for (var thread : threads) thread.join();
    var quoted = errors.stream()
        .map(each -> '"' + each.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"')
        .collect(Collectors.joining(","));
    System.out.printf(
        "{\"requests\":%d,\"streams\":%d,\"websockets\":%d,\"errors\":[%s]}%n", requests.get(), streams.get(), sockets.get(), quoted);
    System.exit(0);
  }
}
