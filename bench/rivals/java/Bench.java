import com.redfin.sitemapgenerator.ChangeFreq;
import com.redfin.sitemapgenerator.W3CDateFormat;
import com.redfin.sitemapgenerator.WebSitemapGenerator;
import com.redfin.sitemapgenerator.WebSitemapUrl;
import com.sun.management.OperatingSystemMXBean;
import crawlercommons.sitemaps.SiteMap;
import crawlercommons.sitemaps.SiteMapParser;
import crawlercommons.sitemaps.SiteMapURL;
import crawlercommons.sitemaps.extension.Extension;
import crawlercommons.sitemaps.extension.ExtensionMetadata;
import crawlercommons.sitemaps.extension.ImageAttributes;
import crawlercommons.sitemaps.extension.LinkAttributes;
import crawlercommons.sitemaps.extension.NewsAttributes;
import crawlercommons.sitemaps.extension.VideoAttributes;
import java.io.BufferedWriter;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Subjects in Java: rounds timed in CPU seconds, memory watched, one line of JSON at the end; see ../python/harness.py.
 *
 * <p>Bench SUBJECT INPUT ROUNDS WARM [--answer FILE] [--to FOLDER] [--address URL]
 */
final class Bench {
  private static final String BASE = "https://shop.example/";

  private record Row(String loc, Date lastmod, ChangeFreq changefreq, double priority) {}

  private static long memory(String what) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith(what)) return Long.parseLong(line.replaceAll("\\D", ""));
    }
    return 0;
  }

  /** Time of all threads, those of the compiler and the collector among them. */
  private static double cpu() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e9;
  }

  private static Collection<SiteMapURL> read(byte[] data, boolean extended) throws Exception {
    SiteMapParser parser = new SiteMapParser(false);
    if (extended) parser.enableExtensions();
    return ((SiteMap) parser.parseSiteMap("text/xml", data, new URL(BASE + "sitemap.xml"))).getSiteMapUrls();
  }

  private static int write(List<Row> rows, File folder, boolean packed) throws Exception {
    WebSitemapGenerator generator =
        WebSitemapGenerator.builder(BASE, folder)
            .gzip(packed)
            .dateFormat(new W3CDateFormat(W3CDateFormat.Pattern.SECOND))
            .build();
    for (Row row : rows) {
      generator.addUrl(
          new WebSitemapUrl.Options(row.loc)
              .lastMod(row.lastmod)
              .changeFreq(row.changefreq)
              .priority(row.priority)
              .build());
    }
    generator.write();
    generator.writeSitemapsWithIndex();
    return rows.size();
  }

  private static List<Row> rows(Path path) throws IOException {
    List<Row> rows = new ArrayList<>();
    try (Stream<String> lines = Files.lines(path)) {
      List<String> names = new ArrayList<>();
      lines.forEach(
          line -> {
            String[] cells = line.split("\t", -1);
            if (names.isEmpty()) {
              names.addAll(Arrays.asList(cells));
              return;
            }
            rows.add(
                new Row(
                    cells[names.indexOf("loc")],
                    Date.from(Instant.parse(cells[names.indexOf("lastmod")])),
                    ChangeFreq.valueOf(cells[names.indexOf("changefreq")].toUpperCase()),
                    Double.parseDouble(cells[names.indexOf("priority")])));
          });
    }
    return rows;
  }

  private static String joined(SiteMapURL url, Extension kind, java.util.function.Function<ExtensionMetadata, String> word) {
    ExtensionMetadata[] found = url.getAttributesForExtension(kind);
    return found == null ? "" : Arrays.stream(found).map(word).collect(Collectors.joining(" "));
  }

  private static void answer(Path path, Collection<SiteMapURL> urls, boolean extended) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(path)) {
      out.write("loc\tlastmod\tchangefreq\tpriority" + (extended ? "\timages\tvideos\tnews\talternates\n" : "\n"));
      for (SiteMapURL url : urls) {
        Date at = url.getLastModified();
        List<String> cells = new ArrayList<>();
        cells.add(url.getUrl().toString());
        cells.add(at == null ? "" : "@" + at.getTime() * 1000);
        cells.add(url.getChangeFrequency() == null ? "" : url.getChangeFrequency().toString().toLowerCase());
        cells.add(Double.toString(url.getPriority()));
        if (extended) {
          cells.add(joined(url, Extension.IMAGE, x -> ((ImageAttributes) x).getLoc().toString()));
          cells.add(joined(url, Extension.VIDEO, x -> ((VideoAttributes) x).getTitle()));
          cells.add(joined(url, Extension.NEWS, x -> ((NewsAttributes) x).getTitle()));
          cells.add(
              joined(
                  url,
                  Extension.LINKS,
                  x -> ((LinkAttributes) x).getParams().get("hreflang") + " " + ((LinkAttributes) x).getHref()));
        }
        out.write(String.join("\t", cells) + "\n");
      }
    }
  }

  private static void clear(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> all = Files.walk(folder)) {
        all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
    Files.createDirectories(folder);
  }

  public static void main(String[] arguments) throws Exception {
    Path input = Path.of(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    int warm = Integer.parseInt(arguments[3]);
    Map<String, String> options = new HashMap<>();
    for (int at = 4; at + 1 < arguments.length; at += 2) options.put(arguments[at], arguments[at + 1]);
    boolean writes = arguments[0].startsWith("sitemapgen4j");
    List<Row> rows = writes ? rows(input) : null;
    byte[] data = writes ? null : Files.readAllBytes(input);
    boolean extended = !writes && new String(data, 0, 400).contains("sitemap-image");
    Collection<SiteMapURL> urls = null;
    List<String> cpus = new ArrayList<>();
    List<String> walls = new ArrayList<>();
    TreeSet<Integer> counts = new TreeSet<>();
    long growth = 0;
    long peak = 0;
    for (int number = 0; number < warm + rounds; number++) {
      urls = null;
      if (writes) clear(Path.of(options.get("--to")));
      System.gc();
      if (number == 0) Files.writeString(Path.of("/proc/self/clear_refs"), "5");
      long before = memory("VmRSS");
      long wall = System.nanoTime();
      double start = cpu();
      if (writes) {
        counts.add(write(rows, new File(options.get("--to")), arguments[0].endsWith("-gz")));
      } else {
        urls = read(data, extended);
        counts.add(urls.size());
      }
      double took = cpu() - start;
      double walled = (System.nanoTime() - wall) / 1e9;
      if (number == 0) {
        peak = memory("VmHWM");
        growth = peak - before;
      }
      if (number >= warm) {
        cpus.add(Double.toString(took));
        walls.add(Double.toString(walled));
      }
    }
    if (!writes && options.containsKey("--answer")) answer(Path.of(options.get("--answer")), urls, extended);
    System.out.printf(
        "{\"cpu\": %s, \"wall\": %s, \"counts\": %s, \"growth_kib\": %d, \"peak_kib\": %d}%n",
        cpus, walls, counts, growth, peak);
  }
}
