// Subjects in Go: rounds timed in CPU seconds, memory watched, one line of JSON at the end; see ../python/harness.py.
//
//	bench SUBJECT INPUT ROUNDS WARM [--answer FILE] [--to FOLDER] [--address URL]
package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	parser "github.com/oxffaa/gopher-parse-sitemap"
	"github.com/snabb/sitemap"
)

const (
	base  = "https://shop.example/"
	limit = 50_000
)

// Page is what a caller keeps of an entry: the package gives it nothing but getters.
type Page struct {
	loc        string
	lastmod    *time.Time
	changefreq string
	priority   float32
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func memory(what string) int {
	text, err := os.ReadFile("/proc/self/status")
	check(err)
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, what) {
			kib, err := strconv.Atoi(strings.Fields(line)[1])
			check(err)
			return kib
		}
	}
	return 0
}

func cpu() float64 {
	var used syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &used))
	return float64(used.Utime.Nano()+used.Stime.Nano()) / 1e9
}

func gopher(data []byte) ([]Page, error) {
	var pages []Page
	err := parser.Parse(bytes.NewReader(data), func(entry parser.Entry) error {
		pages = append(pages, Page{
			entry.GetLocation(), entry.GetLastModified(), entry.GetChangeFrequency(), entry.GetPriority(),
		})
		return nil
	})
	return pages, err
}

func rows(path string) []*sitemap.URL {
	file, err := os.Open(path)
	check(err)
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(make([]byte, 1<<20), 1<<20)
	lines.Scan()
	at := map[string]int{}
	for number, name := range strings.Split(lines.Text(), "\t") {
		at[name] = number
	}
	var urls []*sitemap.URL
	for lines.Scan() {
		cells := strings.Split(lines.Text(), "\t")
		lastmod, err := time.Parse(time.RFC3339, cells[at["lastmod"]])
		check(err)
		priority, err := strconv.ParseFloat(cells[at["priority"]], 32)
		check(err)
		urls = append(urls, &sitemap.URL{
			Loc: cells[at["loc"]], LastMod: &lastmod,
			ChangeFreq: sitemap.ChangeFreq(cells[at["changefreq"]]), Priority: float32(priority),
		})
	}
	check(lines.Err())
	return urls
}

func write(urls []*sitemap.URL, folder string, packed bool) {
	index := sitemap.NewSitemapIndex()
	for at := 0; at < len(urls); at += limit {
		set := sitemap.New()
		set.Minify = true
		set.URLs = urls[at:min(at+limit, len(urls))]
		name := fmt.Sprintf("sitemap-%05d.xml", at/limit+1)
		if packed {
			name += ".gz"
		}
		file, err := os.Create(filepath.Join(folder, name))
		check(err)
		out := bufio.NewWriterSize(file, 1<<16)
		if packed {
			zipped, err := gzip.NewWriterLevel(out, 6)
			check(err)
			_, err = set.WriteTo(zipped)
			check(err)
			check(zipped.Close())
		} else {
			_, err = set.WriteTo(out)
			check(err)
		}
		check(out.Flush())
		check(file.Close())
		index.Add(&sitemap.URL{Loc: base + name})
	}
	file, err := os.Create(filepath.Join(folder, "sitemap.xml"))
	check(err)
	_, err = index.WriteTo(file)
	check(err)
	check(file.Close())
}

func answer(path string, pages []Page) {
	file, err := os.Create(path)
	check(err)
	out := bufio.NewWriter(file)
	fmt.Fprintln(out, "loc\tlastmod\tchangefreq\tpriority")
	for _, page := range pages {
		at := ""
		if page.lastmod != nil {
			at = fmt.Sprintf("@%d", page.lastmod.UnixMicro())
		}
		fmt.Fprintf(out, "%s\t%s\t%s\t%g\n", page.loc, at, page.changefreq, page.priority)
	}
	check(out.Flush())
	check(file.Close())
}

type report struct {
	CPU    []float64 `json:"cpu"`
	Wall   []float64 `json:"wall"`
	Counts []int     `json:"counts"`
	Growth int       `json:"growth_kib"`
	Peak   int       `json:"peak_kib"`
}

func main() {
	subject, input := os.Args[1], os.Args[2]
	rounds, err := strconv.Atoi(os.Args[3])
	check(err)
	warm, err := strconv.Atoi(os.Args[4])
	check(err)
	options := map[string]string{}
	for at := 5; at+1 < len(os.Args); at += 2 {
		options[os.Args[at]] = os.Args[at+1]
	}
	var data []byte
	var urls []*sitemap.URL
	writes := strings.HasPrefix(subject, "snabb")
	if writes {
		urls = rows(input)
	} else {
		data, err = os.ReadFile(input)
		check(err)
	}
	var found report
	var pages []Page
	for number := range warm + rounds {
		pages = nil
		if writes {
			check(os.RemoveAll(options["--to"]))
			check(os.MkdirAll(options["--to"], 0o755))
		}
		runtime.GC()
		if number == 0 {
			check(os.WriteFile("/proc/self/clear_refs", []byte("5"), 0))
		}
		before, wall, start, count := memory("VmRSS"), time.Now(), cpu(), 0
		if writes {
			write(urls, options["--to"], subject == "snabb-gz")
			count = len(urls)
		} else {
			pages, err = gopher(data)
			check(err)
			count = len(pages)
		}
		took, walled := cpu()-start, time.Since(wall).Seconds()
		if number == 0 {
			found.Peak = memory("VmHWM")
			found.Growth = found.Peak - before
		}
		if number >= warm {
			found.CPU = append(found.CPU, took)
			found.Wall = append(found.Wall, walled)
		}
		if !slices.Contains(found.Counts, count) {
			found.Counts = append(found.Counts, count)
		}
	}
	if path := options["--answer"]; path != "" && !writes {
		answer(path, pages)
	}
	check(json.NewEncoder(os.Stdout).Encode(found))
}
