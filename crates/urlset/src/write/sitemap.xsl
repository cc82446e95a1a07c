<?xml version="1.0" encoding="UTF-8"?>
<!-- Shows a sitemap or a sitemap index as a page. One file, no script, nothing fetched from elsewhere. -->
<xsl:stylesheet version="1.0"
  xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
  xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"
  xmlns:image="http://www.google.com/schemas/sitemap-image/1.1"
  xmlns:video="http://www.google.com/schemas/sitemap-video/1.1"
  xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"
  xmlns:xhtml="http://www.w3.org/1999/xhtml"
  exclude-result-prefixes="s image video news xhtml">
  <xsl:output method="html" encoding="UTF-8" indent="no" doctype-system="about:legacy-compat"/>

  <xsl:template match="/">
    <html lang="en">
      <head>
        <meta name="viewport" content="width=device-width, initial-scale=1"/>
        <meta name="color-scheme" content="light dark"/>
        <meta name="robots" content="noindex"/>
        <title>
          <xsl:choose>
            <xsl:when test="s:sitemapindex">Sitemap index</xsl:when>
            <xsl:otherwise>Sitemap</xsl:otherwise>
          </xsl:choose>
        </title>
        <style>
          :root { --ink: #1c2024; --soft: #60666d; --line: #e1e4e8; --page: #fff; --band: #f6f7f9; --link: #0b57d0; }
          @media (prefers-color-scheme: dark) {
            :root { --ink: #e4e6e9; --soft: #9aa1a9; --line: #2f343a; --page: #15181b; --band: #1d2125; --link: #8ab4f8; }
          }
          * { box-sizing: border-box; }
          body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 3rem; background: var(--page); color: var(--ink);
            font: 16px/1.5 system-ui, sans-serif; }
          h1 { margin: 0; font-size: 1.5rem; }
          p { margin: .25rem 0 1.25rem; color: var(--soft); }
          b { color: var(--ink); font-variant-numeric: tabular-nums; }
          table { width: 100%; border-collapse: collapse; }
          th { text-align: left; font-size: .8rem; font-weight: 600; color: var(--soft); }
          th, td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
          td.n, th.n { width: 3.5rem; color: var(--soft); text-align: right; font-variant-numeric: tabular-nums; }
          td.d { white-space: nowrap; font-variant-numeric: tabular-nums; }
          tr:hover td { background: var(--band); }
          a { color: var(--link); text-decoration: none; overflow-wrap: anywhere; }
          a:hover { text-decoration: underline; }
          ul { margin: .25rem 0 0; padding: 0; list-style: none; font-size: .85rem; color: var(--soft); }
          li { overflow-wrap: anywhere; }
          li span { display: inline-block; min-width: 4.5rem; }
          @media (max-width: 40rem) {
            thead { display: none; }
            table, tbody { display: block; }
            tr { display: block; padding: .6rem 0; border-bottom: 1px solid var(--line); }
            td { display: block; border: 0; padding: 0; }
            td.n, td:empty { display: none; }
            td[data-name]::before { content: attr(data-name) " "; color: var(--soft); }
          }
        </style>
      </head>
      <body>
        <xsl:apply-templates select="*"/>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="s:sitemapindex">
    <h1>Sitemap index</h1>
    <p><b><xsl:value-of select="format-number(count(s:sitemap), '#,##0')"/></b> sitemaps</p>
    <table>
      <thead><tr><th class="n">#</th><th>Sitemap</th><th>Last change</th></tr></thead>
      <tbody>
        <xsl:for-each select="s:sitemap">
          <tr>
            <td class="n"><xsl:value-of select="position()"/></td>
            <td><xsl:apply-templates select="s:loc"/></td>
            <td class="d" data-name="Last change"><xsl:apply-templates select="s:lastmod"/></td>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
  </xsl:template>

  <xsl:template match="s:urlset">
    <h1>Sitemap</h1>
    <p>
      <b><xsl:value-of select="format-number(count(s:url), '#,##0')"/></b> pages<xsl:call-template name="count">
        <xsl:with-param name="nodes" select="s:url/image:image"/><xsl:with-param name="word" select="'images'"/>
      </xsl:call-template><xsl:call-template name="count">
        <xsl:with-param name="nodes" select="s:url/video:video"/><xsl:with-param name="word" select="'videos'"/>
      </xsl:call-template><xsl:call-template name="count">
        <xsl:with-param name="nodes" select="s:url/news:news"/><xsl:with-param name="word" select="'news articles'"/>
      </xsl:call-template><xsl:call-template name="count">
        <xsl:with-param name="nodes" select="s:url/xhtml:link"/><xsl:with-param name="word" select="'alternates'"/>
      </xsl:call-template>
    </p>
    <table>
      <thead>
        <tr><th class="n">#</th><th>Page</th><th>Last change</th>
          <xsl:if test="s:url/s:changefreq"><th>Changes</th></xsl:if>
          <xsl:if test="s:url/s:priority"><th>Priority</th></xsl:if>
        </tr>
      </thead>
      <tbody>
        <xsl:variable name="frequencies" select="boolean(s:url/s:changefreq)"/>
        <xsl:variable name="priorities" select="boolean(s:url/s:priority)"/>
        <xsl:for-each select="s:url">
          <tr>
            <td class="n"><xsl:value-of select="position()"/></td>
            <td>
              <xsl:apply-templates select="s:loc"/>
              <xsl:if test="image:image or video:video or news:news or xhtml:link">
                <ul><xsl:apply-templates select="image:image | video:video | news:news | xhtml:link"/></ul>
              </xsl:if>
            </td>
            <td class="d" data-name="Last change"><xsl:apply-templates select="s:lastmod"/></td>
            <xsl:if test="$frequencies"><td data-name="Changes"><xsl:value-of select="s:changefreq"/></td></xsl:if>
            <xsl:if test="$priorities"><td data-name="Priority"><xsl:value-of select="s:priority"/></td></xsl:if>
          </tr>
        </xsl:for-each>
      </tbody>
    </table>
  </xsl:template>

  <xsl:template name="count">
    <xsl:param name="nodes"/>
    <xsl:param name="word"/>
    <xsl:if test="$nodes">, <b><xsl:value-of select="format-number(count($nodes), '#,##0')"/></b><xsl:value-of select="concat(' ', $word)"/></xsl:if>
  </xsl:template>

  <!-- The date, and the time of day to the minute behind it. -->
  <xsl:template match="s:lastmod">
    <xsl:attribute name="title"><xsl:value-of select="."/></xsl:attribute>
    <xsl:value-of select="concat(substring(., 1, 10), ' ', substring(., 12, 5))"/>
  </xsl:template>

  <xsl:template match="s:loc"><xsl:call-template name="link"/></xsl:template>

  <!-- Only addresses of the web become links. -->
  <xsl:template name="link">
    <xsl:param name="to" select="normalize-space(.)"/>
    <xsl:param name="text" select="$to"/>
    <xsl:choose>
      <xsl:when test="starts-with($to, 'http://') or starts-with($to, 'https://')">
        <a href="{$to}" rel="nofollow"><xsl:value-of select="$text"/></a>
      </xsl:when>
      <xsl:otherwise><xsl:value-of select="$text"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>

  <xsl:template match="xhtml:link">
    <li>
      <span><xsl:value-of select="concat(@hreflang, @media)"/></span>
      <xsl:call-template name="link"><xsl:with-param name="to" select="string(@href)"/></xsl:call-template>
    </li>
  </xsl:template>

  <xsl:template match="image:image">
    <li><span>image</span><xsl:for-each select="image:loc"><xsl:call-template name="link"/></xsl:for-each></li>
  </xsl:template>

  <xsl:template match="video:video">
    <li>
      <span>video</span>
      <xsl:call-template name="link">
        <xsl:with-param name="to" select="normalize-space((video:content_loc | video:player_loc)[1])"/>
        <xsl:with-param name="text" select="string(video:title)"/>
      </xsl:call-template>
    </li>
  </xsl:template>

  <xsl:template match="news:news">
    <li>
      <span>news</span>
      <xsl:value-of select="concat(news:title, ' (', news:publication/news:name, ', ', substring(news:publication_date, 1, 10), ')')"/>
    </li>
  </xsl:template>
</xsl:stylesheet>
